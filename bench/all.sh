#!/usr/bin/env bash
# Runs every benchmark with its defaults, in about an hour, and puts the results together in
# target/bench/summary.md. Options are handed on to each.
cd "$(dirname "$0")/.."

status=0
done=()
for name in get-hot get-counts batch-read post-durable mixed get-cold growth start redis-bytes \
    instances nodes concurrency available constraints crowd people import storage fairness live grpc \
    collector wal replica webhook; do
    bench/$name.sh "$@" && done+=("$name") || {
        [[ $? -ne 130 ]] || exit 130
        echo "all: $name failed" >&2
        status=1
    }
done

{
    echo "# Benchmarks"
    echo
    echo "$(date -u +%F), commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown)," \
        "$(getconf _NPROCESSORS_ONLN) processors" \
        "($(sed -n 's/^model name.*: //p' /proc/cpuinfo 2>/dev/null | head -1)), $(uname -sr)"
    echo
    for name in "${done[@]}"; do
        cat "target/bench/$name.md"
    done
} >target/bench/summary.md
echo "target/bench/summary.md"
exit $status
