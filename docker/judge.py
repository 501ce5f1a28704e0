"""Judges what clients.py has written; shared by failover-drill and acceptance.

    judge.py FOLDER ADDRESS PORT SECRETS NAME[:SINCE]… < STORED

STORED has lines "ENTITY USER": the reactions in Postgres. Fails if an acknowledged write of a NAME
is missing, if a removed reaction is there, if an answer was wrong, or if the service shows another
count of an entity than Postgres has. With SINCE, only writes acknowledged after that time count,
because Postgres was restored before it.
"""

import collections
import http.client
import json
import socket
import ssl
import sys
import urllib.parse

folder, address, port, secrets, *names = sys.argv[1:]
stored = [line.rstrip("\n").split(" ") for line in sys.stdin]
there = {user for _, user in stored}
added, removed, wrong = set(), set(), []
for each in names:
    name, _, since = each.partition(":")
    since = float(since or 0)
    for line in open(f"{folder}/{name}.acknowledged"):
        user, at = line.split()
        if float(at) > since:
            added.add(user)
    for line in open(f"{folder}/{name}.states"):
        user, present, at = line.split()
        if float(at) > since:
            (added if present == "1" else removed).add(user)
    wrong += [line for line in open(f"{folder}/{name}.wrong") if float(line.split()[0]) > since]
lost, kept = added - there, removed & there

tls = ssl.create_default_context(cafile=f"{secrets}/ca.crt")
connection = http.client.HTTPSConnection("nginx", int(port), context=tls, timeout=20)
connection.sock = tls.wrap_socket(
    socket.create_connection((address, int(port)), timeout=20), server_hostname="nginx")
counts = collections.Counter(entity for entity, _ in stored)
miscounted = []
for number in range(20):
    entity = f"drill-{number}"
    query = urllib.parse.urlencode({"namespace_id": "posts", "entity_id": entity, "user_id": "nobody"})
    headers = {"Authorization": "Bearer " + open(f"{secrets}/backend.key").read()}
    connection.request("GET", "/reactions?" + query, headers=headers)
    answer = json.loads(connection.getresponse().read())
    shown = sum(each["count"] for each in answer["reactions_count"])
    if shown != counts[entity]:
        miscounted.append(f"{entity}: {shown} shown, {counts[entity]} stored")
print(f"{len(added)} reactions acknowledged, {len(lost)} of them lost; {len(removed)} removals of twenty users in turn, "
      f"{len(kept)} of them lost; {len(wrong)} wrong answers; {len(miscounted)} of 20 counts wrong")
print(*sorted(lost | kept)[:10], *wrong[:10], *miscounted, sep="\n", end="")
sys.exit(not added or bool(lost or kept or wrong or miscounted))
