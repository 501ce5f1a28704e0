"""Clients that write through nginx until a file says stop; shared by failover-drill and acceptance.

    clients.py FOLDER NAME ADDRESS PORT SECRETS

Four clients add a reaction of a new user each time, on twenty entities. Every second one sends an
Idempotency-Key, so that nginx may repeat its writes; no client repeats one itself. A fifth client
adds and removes a reaction of twenty users in turn, and repeats a write under its key until it
succeeds. They end when FOLDER/NAME.stop exists.

FOLDER/NAME.acknowledged has lines "USER SECONDS": a new user whose write was acknowledged, and
when. FOLDER/NAME.states has at the end lines "USER 0|1 SECONDS": whether the last acknowledged
write of one of the twenty added the reaction; a user whose last write has no answer is left out.
FOLDER/NAME.wrong has the answers that no fault explains. FOLDER/NAME.phases has lines "SECONDS
WHAT": the time when a phase began. The output is a table with a row for each phase: the longest
time in which no write of any client and of one client was acknowledged, and the answers.
"""

import collections
import http.client
import itertools
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
wrong = open(f"{folder}/{name}.wrong", "w", buffering=1)
states = {}
answers = []  # (time of the answer, number of the client, what, whether the write had a key)


class Client:
    """A client with a connection of its own, which it keeps while it works."""

    def __init__(self, number):
        self.number = number
        self.connection = None

    def send(self, method, user, entity, idempotency_key=None):
        """Returns "acknowledged", or the status and the code of the problem, or the error."""
        body = {"namespace_id": "posts", "entity_id": f"drill-{entity}", "user_id": user, "reaction_id": "👍"}
        headers = {"Authorization": "Bearer " + key, "Content-Type": "application/json"}
        if idempotency_key:
            headers["Idempotency-Key"] = idempotency_key
        try:
            self.connection = self.connection or self.connect()
            self.connection.request(method, "/reactions", json.dumps(body).encode(), headers)
            response = self.connection.getresponse()
            text = response.read()
            answer = "acknowledged" if response.status == 200 else self.problem(response.status, text)
            if response.will_close:
                self.connection = None
        except (OSError, http.client.HTTPException) as e:
            self.connection, answer = None, type(e).__name__
        with lock:
            answers.append((time.time(), self.number, answer, idempotency_key is not None))
            # No fault makes the service refuse a write: one that was acknowledged has been lost.
            if answer[:2] == "40" and not answer.startswith("409"):
                wrong.write(f"{time.time()} {method} {user} {answer}\n")
        return answer

    @staticmethod
    def connect():
        """Returns a connection to the address, whose certificate must be nginx's."""
        connection = http.client.HTTPSConnection("nginx", int(port), context=tls, timeout=20)
        connection.sock = tls.wrap_socket(
            socket.create_connection((address, int(port)), timeout=20), server_hostname="nginx")
        return connection

    @staticmethod
    def problem(status, text):
        try:
            return f"{status} {json.loads(text)['code']}"
        except (ValueError, KeyError, TypeError):
            return str(status)


def stopped():
    return os.path.exists(f"{folder}/{name}.stop")


def add(number):
    client = Client(number)
    for i in itertools.count(1):
        if stopped():
            break
        user = f"{name}-{number}-{i}"
        if client.send("POST", user, i % 20, user if number % 2 else None) == "acknowledged":
            with lock:
                acknowledged.write(f"{user} {time.time()}\n")
        time.sleep(0.03)


def turn(number):
    client = Client(number)
    for i in itertools.count():
        if stopped():
            break
        user, present = f"{name}-turn-{i % 20}", i // 20 % 2 == 0
        states.pop(user, None)
        answer = None
        while answer != "acknowledged" and not stopped():
            answer = client.send("POST" if present else "DELETE", user, i % 20, f"{user}-{i}")
            time.sleep(0.03)
        if answer == "acknowledged":
            states[user] = present, time.time()


def rows():
    """Yields, for each phase, its name, its longest stops, and the answers in it."""
    phases = [line.rstrip("\n").split(" ", 1) for line in open(f"{folder}/{name}.phases")]
    begins = [float(begin) for begin, _ in phases] + [float("inf")]
    first = answers[0][0] if answers else 0
    last, lasts = first, collections.defaultdict(lambda: first)
    for (begin, what), end in zip(phases, begins[1:]):
        stop, wait, counts = 0, 0, collections.Counter()
        for at, number, answer, keyed in answers:
            if float(begin) <= at < end:
                if answer == "acknowledged":
                    # A stop belongs to the phase in which it ended.
                    stop, last = max(stop, at - last), at
                    wait, lasts[number] = max(wait, at - lasts[number]), at
                    counts[answer] += 1
                else:
                    counts[f"{answer}, with a key" if keyed else answer] += 1
        if counts:
            yield what, stop, wait, counts


threads = [threading.Thread(target=add, args=(n,)) for n in range(4)]
threads.append(threading.Thread(target=turn, args=(4,)))
for each in threads:
    each.start()
for each in threads:
    each.join()
acknowledged.close()
with open(f"{folder}/{name}.states", "w") as file:
    for user, (present, at) in states.items():
        file.write(f"{user} {int(present)} {at}\n")
print("| while clients write | longest stop, s | of one client, s | acknowledged | not acknowledged |")
print("| --- | --- | --- | --- | --- |")
for what, stop, wait, counts in rows():
    right = counts.pop("acknowledged", 0)
    others = "; ".join(f"{count} × {answer}" for answer, count in counts.most_common())
    print(f"| {what} | {stop:.1f} | {wait:.1f} | {right} | {others or 'none'} |")
