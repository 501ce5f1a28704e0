package dev.ovation.chaos;

import dev.ovation.chaos.Bench.Site;
import dev.ovation.chaos.Fault.Part;
import dev.ovation.testing.TcpProxy;

import java.util.ArrayList;
import java.util.List;

/** Faults of the link between two parts. */
final class LinkFaults {

    /** A link, and a text of the requests that are most sensitive to a fault. */
    private enum Link {
        REDIS("the link to Redis", "EVALSHA") {
            @Override
            TcpProxy of(Site site) {
                return site.toRedis();
            }
        },
        POSTGRES("the link to Postgres", "COMMIT") {
            @Override
            TcpProxy of(Site site) {
                return site.toPostgres();
            }
        },
        CLIENTS("the link to clients", "POST /reactions") {
            @Override
            TcpProxy of(Site site) {
                return site.door().link;
            }
        };

        private final String title;
        private final String request;

        Link(String title, String request) {
            this.title = title;
            this.request = request;
        }

        abstract TcpProxy of(Site site);
    }

    @FunctionalInterface
    private interface Trouble {
        void on(TcpProxy proxy, String request, Chance random) throws Exception;
    }

    private LinkFaults() {}

    static List<Fault> all() {
        var all = new ArrayList<Fault>();
        for (Link link : Link.values()) {
            all.add(fault(link, "cut", (proxy, _, random) -> cut(proxy, random)));
            all.add(fault(link, "silent", (proxy, _, random) -> silent(proxy, random)));
            all.add(fault(link, "slow", (proxy, _, random) -> slow(proxy, random)));
            all.add(
                    fault(
                            link,
                            "loses requests",
                            (proxy, request, random) ->
                                    lose(proxy, () -> proxy.loseRequest(request), random)));
            all.add(
                    fault(
                            link,
                            "loses replies",
                            (proxy, request, random) ->
                                    lose(proxy, () -> proxy.loseReply(request), random)));
        }
        return all;
    }

    /** Faults of the other links. */
    static List<Fault> withoutRedis() {
        return all().stream().filter(fault -> !fault.kind().startsWith(Link.REDIS.title)).toList();
    }

    private static Fault fault(Link link, String what, Trouble trouble) {
        return new Fault(
                link.title + ": " + what,
                Part.LINK,
                (bench, random) -> {
                    var site = bench.sites().get(random.nextInt(bench.sites().size()));
                    try {
                        trouble.on(link.of(site), link.request, random);
                    } finally {
                        link.of(site).mend();
                    }
                });
    }

    private static void cut(TcpProxy proxy, Chance random) throws Exception {
        proxy.cut();
        random.last(0, 3000);
    }

    private static void silent(TcpProxy proxy, Chance random) throws Exception {
        proxy.blackHole();
        random.last(500, 6000);
    }

    private static void slow(TcpProxy proxy, Chance random) throws Exception {
        proxy.delay(random.nextInt(20, 400));
        random.last(500, 3000);
    }

    private static void lose(TcpProxy proxy, Runnable one, Chance random) throws Exception {
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            one.run();
            random.last(100, 600);
        }
    }
}
