"""Clients that write through nginx until a file says stop; shared by failover-drill and acceptance.

    clients.py FOLDER NAME ADDRESS PORT SECRETS

Four clients add a reaction of a new user each time, on twenty entities. Every second one sends an
Idempotency-Key, so that nginx may repeat its writes; no client repeats one itself. They end when
FOLDER/NAME.stop exists. FOLDER/NAME.acknowledged has the users whose writes were acknowledged.
FOLDER/NAME.phases has lines "SECONDS WHAT": the time when a phase began. The output is a table
with a row for each phase: the longest time in which no write was acknowledged, and the answers.
"""

import collections
import http.client
import json
import os
import socket
import ssl
import sys
import threading
import time

folder, name, address, port, secrets = sys.argv[1:]
key = open(f"{secrets}/backend.key").read()
tls = ssl.create_default_context(cafile=f"{secrets}/ca.crt")
lock = threading.Lock()
acknowledged = open(f"{folder}/{name}.acknowledged", "w", buffering=1)
answers = []  # (time of the answer, what, whether the write had a key)


def connect():
    """Returns a connection to the address, whose certificate must be nginx's."""
    connection = http.client.HTTPSConnection("nginx", int(port), context=tls, timeout=20)
    connection.sock = tls.wrap_socket(
        socket.create_connection((address, int(port)), timeout=20), server_hostname="nginx")
    return connection


def write(thread):
    connection, number, keyed = None, 0, thread % 2 == 1
    while not os.path.exists(f"{folder}/{name}.stop"):
        number += 1
        user = f"{name}-{thread}-{number}"
        body = {"namespace_id": "posts", "entity_id": f"drill-{number % 20}", "user_id": user, "reaction_id": "👍"}
        headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
        if keyed:
            headers["Idempotency-Key"] = user
        try:
            connection = connection or connect()
            connection.request("POST", "/reactions", json.dumps(body).encode(), headers)
            response = connection.getresponse()
            text = response.read()
            answer = "acknowledged" if response.status == 200 else str(response.status)
            if text.startswith(b"{") and "code" in json.loads(text):
                answer += " " + json.loads(text)["code"]
            if response.will_close:
                connection = None
        except (OSError, http.client.HTTPException) as e:
            connection, answer = None, type(e).__name__
        with lock:
            if answer == "acknowledged":
                acknowledged.write(user + "\n")
            answers.append((time.time(), answer, keyed))
        time.sleep(0.03)


def rows():
    """Yields, for each phase, its name, its longest stop, and the answers in it."""
    phases = [line.rstrip("\n").split(" ", 1) for line in open(f"{folder}/{name}.phases")]
    begins = [float(begin) for begin, _ in phases] + [float("inf")]
    last = answers[0][0] if answers else 0
    for (begin, what), end in zip(phases, begins[1:]):
        stop, counts = 0, collections.Counter()
        for at, answer, keyed in answers:
            if float(begin) <= at < end:
                if answer == "acknowledged":
                    # A stop belongs to the phase in which it ended.
                    stop, last = max(stop, at - last), at
                    counts[answer] += 1
                else:
                    counts[f"{answer}, with a key" if keyed else answer] += 1
        if counts:
            yield what, stop, counts


threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
for each in threads:
    each.start()
for each in threads:
    each.join()
acknowledged.close()
print("| while clients write | longest stop, s | acknowledged | not acknowledged |")
print("| --- | --- | --- | --- |")
for what, stop, counts in rows():
    right = counts.pop("acknowledged", 0)
    others = "; ".join(f"{count} × {answer}" for answer, count in counts.most_common())
    print(f"| {what} | {stop:.1f} | {right} | {others or 'none'} |")
