#!/usr/bin/env python3
# examples: host names looked up in each flow, against a real name server on the loopback
"""usage: gethost_test.py GETHOST DNSMASQ [unittest's arguments]"""

import os
import pathlib
import pwd
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

GETHOST = DNSMASQ = ""
PATIENCE_S = 30  # for a busy machine; nothing here lasts so long
FLOWS = ("serial", "parallel", "windowed")
ZONE = {f"host{i}.test": {f"10.3.0.{i + 1}", *([f"fd00::{i + 1:x}"] if i % 3 == 0 else [])} for i in range(60)}
ZONE["big.test"] = {f"10.4.0.{i}" for i in range(1, 100)}  # too long for a datagram


class NameServer:
    def __init__(self, zone):
        self.hosts = tempfile.NamedTemporaryFile("w", prefix="thalweg-hosts-")
        for name, addresses in zone.items():
            self.hosts.writelines(f"{address} {name}\n" for address in addresses)
        self.hosts.flush()
        self.port = free_port()
        self.process = subprocess.Popen(
            [DNSMASQ, "--keep-in-foreground", "--conf-file=/dev/null", "--pid-file=", "--no-resolv", "--no-hosts",
             "--listen-address=127.0.0.1", "--bind-interfaces", f"--port={self.port}", "--local=/test/",
             f"--addn-hosts={self.hosts.name}", f"--user={pwd.getpwuid(os.geteuid()).pw_name}"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while not self.answers():
            if time.monotonic() > end or self.process.poll() is not None:
                raise RuntimeError(f"{DNSMASQ} does not answer at port {self.port}")
            time.sleep(0.005)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.hosts.close()

    def answers(self):
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:
            asks.settimeout(0.05)
            asks.connect(("127.0.0.1", self.port))
            try:
                asks.send(bytes([0, 1, 1, 0, 0, 1] + [0] * 6 + [0, 0, 1, 0, 1]))
                return bool(asks.recv(512))
            except OSError:
                return False

    def unread(self):
        """The bytes of datagrams that wait for the server (proc(5), /proc/net/udp)."""
        for line in pathlib.Path("/proc/net/udp").read_text().splitlines()[1:]:
            _, local, _, _, queues, *_ = line.split()
            if local.endswith(f":{self.port:04X}"):
                return int(queues.split(":")[1], 16)
        raise RuntimeError(f"/proc/net/udp has no port {self.port}")


def free_port():
    while True:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp, socket.socket() as tcp:
            udp.bind(("127.0.0.1", 0))
            try:
                tcp.bind(udp.getsockname())
                return udp.getsockname()[1]
            except OSError:
                pass


def look_up(port, names, *options, expected_status=0):
    """The addresses of each name, or what was said instead; and how long it took."""
    before = time.monotonic()
    done = subprocess.run([GETHOST, "--server", f"127.0.0.1:{port}", *options, "--", *names], capture_output=True, text=True,
                          timeout=PATIENCE_S, check=False)
    assert done.returncode == expected_status, done.stderr
    found = {}
    for line in done.stdout.splitlines():
        if ": " in line:
            name, said = line.split(": ")
            found[name] = said
        else:
            name, *addresses = line.split()
            found[name] = set(addresses)
    return found, time.monotonic() - before


class Gethost(unittest.TestCase):
    def test_finds_what_the_zone_says_in_each_flow(self):
        with NameServer(ZONE) as server:
            for flow in FLOWS:
                found, _ = look_up(server.port, ZONE, "--flow", flow)
                self.assertEqual(found, ZONE, flow)

    def test_says_which_names_are_not_there(self):
        with NameServer(ZONE) as server:
            for flow in FLOWS:
                found, _ = look_up(server.port, ["host1.test", "nowhere.test", "host2.test"], "--flow", flow)
                self.assertEqual(found, {"host1.test": ZONE["host1.test"], "nowhere.test": "Domain name not found",
                                         "host2.test": ZONE["host2.test"]})

    def test_gives_each_name_of_a_silent_server_its_limit(self):
        names = [f"host{i}.test" for i in range(6)]
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as silent:
            silent.bind(("127.0.0.1", 0))
            port = silent.getsockname()[1]
            # Six limits after each other, all together, or two by two.
            for flow, limits in (("serial", 6), ("parallel", 1), ("windowed", 3)):
                found, took = look_up(port, names, "--flow", flow, "--limit", "200", "--window", "2")
                self.assertEqual(found, dict.fromkeys(names, "no answer"))
                self.assertGreaterEqual(took, limits * 0.2, flow)
            end = time.monotonic() + PATIENCE_S  # a machine that stops for a moment makes one of them long, not all
            while look_up(port, names, "--flow", "parallel", "--limit", "200")[1] >= 6 * 0.2:
                self.assertLess(time.monotonic(), end, "limits of lookups in parallel were waited for one after the other")

    def test_a_server_that_is_stopped_is_asked_until_the_limit(self):
        with NameServer(ZONE) as server:
            server.process.send_signal(signal.SIGSTOP)
            found, _ = look_up(server.port, ["host1.test"], "--limit", "200")
            self.assertEqual(found, {"host1.test": "no answer"})
            left_by_the_first = server.unread()
            asks = subprocess.Popen([GETHOST, "--server", f"127.0.0.1:{server.port}", "--limit", "20000", "--", "host1.test"],
                                    stdout=subprocess.PIPE, text=True)
            end = time.monotonic() + PATIENCE_S
            while server.unread() == left_by_the_first and time.monotonic() < end:
                time.sleep(0.005)
            self.assertIsNone(asks.poll(), "ended before the server was woken")
            server.process.send_signal(signal.SIGCONT)
            said, _ = asks.communicate(timeout=PATIENCE_S)
            self.assertEqual((asks.returncode, set(said.split()[1:])), (0, ZONE["host1.test"]))

    def test_says_that_nobody_is_there(self):
        found, _ = look_up(free_port(), ["host1.test"])
        self.assertEqual(found, {"host1.test": "Could not contact DNS servers"})

    def test_refuses_a_server_that_is_none(self):
        done = subprocess.run([GETHOST, "--server", "nobody", "--", "host1.test"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("name servers 'nobody'", done.stderr)


if __name__ == "__main__":
    GETHOST, DNSMASQ = sys.argv[1:3]
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
