# benchmarks: asks a Redis server what a file says, writes its answers, and ends it: ask_redis.py SOCKET FILE
import re
import sys

from asking import connected

AT_ONCE = 64  # so that the server finds the same each time, however fast both are


def main(path, file):
    with open(file, "rb") as text:
        requests = re.split(rb"^(?=\*)", text.read(), flags=re.MULTILINE)
    with connected(path) as client:
        for first in range(0, len(requests), AT_ONCE):
            mark = f"-- {first} --\r\n".encode()
            client.sendall(b"".join(requests[first:first + AT_ONCE]) + f"*2\r\n$4\r\nECHO\r\n${len(mark) - 2}\r\n".encode() + mark)
            answers = b""
            while not answers.endswith(mark):
                got = client.recv(1 << 16)
                if not got:
                    sys.exit("the server has gone")
                answers += got
            sys.stdout.buffer.write(answers)
        # All answers are in the file before the server ends, which is what the caller waits for.
        sys.stdout.close()
        client.sendall(b"*2\r\n$8\r\nSHUTDOWN\r\n$6\r\nNOSAVE\r\n")
        client.recv(1)


main(*sys.argv[1:])
