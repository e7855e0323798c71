# benchmarks: what those have in common who ask a server of the board.
import socket
import time

# Its twin is linked first when it is recorded, which takes minutes on a busy machine.
START_S = 900


def connected(path):
    """A connection to the server's socket, once there is one."""
    end = time.monotonic() + START_S
    while True:
        client = socket.socket(socket.AF_UNIX)
        try:
            client.connect(path)
            return client
        except OSError:
            client.close()
            if time.monotonic() > end:
                raise
            time.sleep(0.01)
