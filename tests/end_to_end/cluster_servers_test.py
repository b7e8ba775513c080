#!/usr/bin/python3
"""Three NATS servers that keep three copies: one of them may die at any time, and nobody notices."""
import os
import random
import subprocess
import threading
import time
import unittest

from binary import EndToEnd, free_port, recorded, until
from cluster import Member, Nats, Sender, nats_server_program

RUN = recorded("apply-create-mixed")


class Server(Nats):
    """One of three."""

    def __init__(self, case, number, ports, routes):
        self.number, self.routes = number, routes
        more = 'server_name: n%d\ncluster { name: c, listen: "127.0.0.1:%d", routes: [%s] }\n' % (
            number, routes[number], ", ".join('"nats://127.0.0.1:%d"' % port for port in routes))
        super().__init__(case, more, ports[number])


class Three(EndToEnd):
    def setUp(self):
        super().setUp()
        ports, routes = [free_port() for _ in range(3)], [free_port() for _ in range(3)]
        self.servers = [Server(self, number, ports, routes) for number in range(3)]
        every = [word for each in self.servers[1:] for word in ("--cluster-nats", each.url)]
        self.members = [Member(self, name, self.servers[0].url, *every, "--cluster-replicas", "3") for name in "abc"]
        for each in self.members:
            each.ready()

    def test_one_of_three_servers_may_die_at_any_time(self):
        senders = [Sender([each.url for each in self.members], RUN, stack="s/%d" % n) for n in range(12)]
        threads = [threading.Thread(target=each.send_all, args=(3000,)) for each in senders]
        for each in threads:
            each.start()
        for server in self.servers:
            time.sleep(0.5)
            server.kill()
            time.sleep(1)
            server.start()
            time.sleep(2)  # until it has what it missed, so that two of three are always there
        for each in threads:
            each.join()
        for sender in senders:
            for member in self.members:
                until(lambda: member.views().get(sender.run, {}).get("status") == "succeeded" and member.stored(sender.run) == RUN, "run %s at %s" % (sender.run, member.name))

    def test_two_dead_servers_stop_what_is_stored_and_lose_nothing(self):
        sender = Sender([each.url for each in self.members], RUN)
        sender.step(4096)
        sender.step(20000)
        for server in self.servers[:2]:
            server.kill()
        until(lambda: sender.step(5000) >= 500, "a refusal")
        for server in self.servers[:2]:
            server.start()
        run = sender.send_all()
        for member in self.members:
            until(lambda: member.views().get(run, {}).get("status") == "succeeded" and member.stored(run) == RUN, "the run at " + member.name)


if __name__ == "__main__":
    unittest.main()
