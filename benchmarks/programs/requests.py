# benchmarks: what a web server of files is asked, of every kind: all that comes back, byte for byte, but for the time.
import contextlib
import hashlib
import re
import socket

from harness.rounds import Failed

TIMEOUT_S = 30
# After which the client says that no more will come. After others it only waits for the end, as clients do.
CUT_OFF = "cut off"
LARGE = "large.bin"
# Of which a client that is slow reads half, before the server is told to end.
LARGE_BYTES = 1 << 22
TIME = re.compile(rb"\r\nDate: [^\r]*")


def get(path, *headers, method="GET", version="1.1", close=True):
    lines = [f"{method} {path} HTTP/{version}", "Host: localhost", *headers, *(["Connection: close"] if close else [])]
    return "\r\n".join(lines).encode() + b"\r\n\r\n"


def requests(page, folder):
    """(name, bytes that are sent on one connection). page: a small file's path, folder: one of a folder."""
    old, future = "Thu, 01 Jan 1998 00:00:00 GMT", "Fri, 01 Jan 2100 00:00:00 GMT"
    return (
        ("page", get(page)),
        ("head", get(page, method="HEAD")),
        ("old version", get(page, version="1.0", close=False)),
        ("oldest version", f"GET {page}\r\n".encode()),
        ("new version", get(page, version="3.7")),
        ("large", get("/" + LARGE)),
        ("large head", get("/" + LARGE, method="HEAD")),
        ("query", get(page + "?a=b&c")),
        ("escaped", get(page.replace(".", "%2e") + "#x")),
        ("dots", get("/../.." + page)),
        ("dots inside", get("/x/../" + page.lstrip("/"))),
        ("twice the slash", get("/" + page)),
        ("absent", get("/absent.html")),
        ("absent head", get("/absent.html", method="HEAD")),
        ("below a file", get(page + "/x")),
        ("folder", get(folder + "/")),
        ("folder without slash", get(folder)),
        ("root", get("/")),
        ("zero byte", get("/%00")),
        ("bad escape", get("/%zz")),
        ("range", get(page, "Range: bytes=3-9")),
        ("range to the end", get("/" + LARGE, "Range: bytes=4194000-")),
        ("last bytes", get(page, "Range: bytes=-5")),
        ("ranges", get(page, "Range: bytes=0-2,5-6,-1")),
        ("ranges of a large one", get("/" + LARGE, "Range: bytes=0-99999,200000-299999")),
        ("range too far", get(page, "Range: bytes=99999999-")),
        ("range backwards", get(page, "Range: bytes=9-3")),
        ("no range", get(page, "Range: lines=1-2")),
        ("range if old", get(page, "Range: bytes=3-9", f"If-Range: {old}")),
        ("not modified", get(page, f"If-Modified-Since: {future}")),
        ("modified", get(page, f"If-Modified-Since: {old}")),
        ("no time", get(page, "If-Modified-Since: yesterday")),
        ("if unmodified", get(page, f"If-Unmodified-Since: {old}")),
        ("any tag", get(page, "If-None-Match: *")),
        ("other tag", get(page, 'If-None-Match: "x", W/"y"')),
        ("if other tag", get(page, 'If-Match: "x"')),
        ("compressed", get(page, "Accept-Encoding: gzip")),
        ("post", get(page, "Content-Length: 5", method="POST") + b"hello"),
        ("post in chunks", get(page, "Transfer-Encoding: chunked", method="POST") + b"5\r\nhello\r\n0\r\n\r\n"),
        ("get with a body", get(page, "Content-Length: 5") + b"hello"),
        ("continue", get(page, "Content-Length: 5", "Expect: 100-continue", method="PUT") + b"hello"),
        ("options", get("*", method="OPTIONS")),
        ("unknown method", get(page, method="BREW")),
        ("small letters", get(page, method="get")),
        ("no request", b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"),
        ("no host", f"GET {page} HTTP/1.1\r\n\r\n".encode()),
        ("two hosts", get(page, "Host: other")),
        ("bad header", get(page, "no header")),
        ("long header", get(page, f"X: {'x' * 40000}")),
        ("long path", get("/" + "x" * 40000)),
        ("bad length", get(page, "Content-Length: many")),
        (CUT_OFF, b"GET / HTTP/1.1\r\nHost:"),
        ("empty line first", b"\r\n" + get(page)),
        ("only line feeds", get(page).replace(b"\r", b"")),
        ("one after another", get(page, close=False) * 3 + get("/absent.html", close=False) + get(page, method="HEAD", close=False) + get(page)),
        ("after a large one", get("/" + LARGE, close=False) + get(page)),
        ("after an error", get("/absent.html", close=False) + b"nonsense\r\n\r\n" + get(page)),
        # When these are answered, what was written down of the others stands there.
        *((f"page again {i}", get(page)) for i in range(2)),
    )


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S)


def received(connection):
    """All, to the end."""
    parts = []
    while part := connection.recv(1 << 16):
        parts.append(part)
    return b"".join(parts)


def answer(port, name, sent):
    """In words, what a client finds. That the server cuts off who goes on sending is one answer too."""
    with connect(port) as connection, contextlib.suppress(BrokenPipeError, ConnectionResetError):
        connection.sendall(sent)
        if name == CUT_OFF:
            connection.shutdown(socket.SHUT_WR)
        try:
            return in_words(name, received(connection).replace(f":{port}".encode(), b":PORT"))
        except TimeoutError as problem:
            raise Failed(f"no end of the answer to {sent[:100]!r} within {TIMEOUT_S} s") from problem
    return f"{name}: cut off"


def in_words(name, answered):
    data = TIME.sub(b"", answered)
    return f"{name}: {data[:60]!r}, {len(data)} bytes, {hashlib.sha256(data).hexdigest()[:16]}"


def body_of(connection):
    """Of one answer that tells its length; nothing of a next one may follow."""
    data = b""
    while b"\r\n\r\n" not in data:
        more = connection.recv(1 << 16)
        if not more:
            raise Failed(f"the connection was closed after {data[:200]!r}")
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"\r\nContent-Length: (\d+)", head)
    if length is None:
        raise Failed(f"an answer without a length: {head!r}")
    while len(body) < int(length[1]):
        more = connection.recv(1 << 16)
        if not more:
            raise Failed(f"{len(body)} of {int(length[1])} bytes, then the connection was closed")
        body += more
    return body
