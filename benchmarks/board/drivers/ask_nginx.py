# benchmarks: serves a folder by nginx, asks for what a file says, writes the answers, and ends the server.
#
#   ask_nginx.py prepare FILE      in the folder in which the server will run: its configuration, and the pages that are asked for
#   ask_nginx.py ask FILE          the answers, without what tells the time, on stdout
import os
import re
import signal
import sys

from asking import connected

CONFIGURATION = """daemon off;
master_process off;
worker_processes 1;
pid nginx.pid;
error_log stderr emerg;
events { worker_connections 64; }
http {
    access_log log combined;
    types { text/html html; text/css css; application/json json; }
    keepalive_requests 100000;
    client_body_temp_path bodies;
    proxy_temp_path proxied;
    fastcgi_temp_path fast;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    server {
        listen unix:socket;
        root pages;
        index index.html;
        location /api/ { add_header X-Asked $arg_q; }
        location /private/ { deny all; }
        location / { expires 1h; autoindex on; try_files $uri $uri/ =404; }
    }
}
"""
VOLATILE = re.compile(rb"^(Date|Expires|Last-Modified|ETag): [^\r\n]*", re.MULTILINE)


def requests_in(path):
    with open(path, encoding="utf-8") as lines:
        return [line.rstrip("\n").split("\t") for line in lines]


def prepare(path):
    with open("nginx.conf", "w", encoding="ascii") as out:
        out.write(CONFIGURATION)
    for method, target, _ in requests_in(path):
        name = os.path.normpath("pages" + target.partition("?")[0])
        if method != "GET" or not re.search(r"\.(html|css|json)$", name) or "missing" in name or not name.startswith("pages/"):
            continue
        os.makedirs(os.path.dirname(name), exist_ok=True)
        with open(name, "w", encoding="ascii") as page:
            page.write(f"{name}\n" * (1 + len(name) * 37 % 200))
        os.utime(name, (10 ** 9, 10 ** 9))


def received(client):
    got = client.recv(1 << 16)
    if not got:
        sys.exit("the server has gone")
    return got


def answer(client, method):
    """One answer, its head and its body."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += received(client)
    head, _, body = data.partition(b"\r\n\r\n")
    if b"Transfer-Encoding: chunked" in head:
        while not body.endswith(b"0\r\n\r\n"):
            body += received(client)
    length = re.search(rb"^Content-Length: (\d+)", head, re.MULTILINE)
    while length and method != "HEAD" and b" 304 " not in head.split(b"\r\n")[0] and len(body) < int(length.group(1)):
        body += received(client)
    return VOLATILE.sub(rb"\1: ...", head) + b"\r\n\r\n" + body


def ask(path):
    with connected("socket") as client:
        try:
            for method, target, header in requests_in(path):
                more = f"{header}\r\n" if header else ""
                client.sendall(f"{method} {target} HTTP/1.1\r\nHost: board\r\nUser-Agent: board/1\r\nAccept: */*\r\n{more}\r\n".encode())
                sys.stdout.buffer.write(answer(client, method))
        finally:
            # All answers are in the file before the server ends, which is what the caller waits for. It looks whether it is to end when
            # something has come, such as the end of this connection.
            sys.stdout.close()
            with open("nginx.pid", encoding="ascii") as pid:
                os.kill(int(pid.read()), signal.SIGQUIT)


{"prepare": prepare, "ask": ask}[sys.argv[1]](sys.argv[2])
