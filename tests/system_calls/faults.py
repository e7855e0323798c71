# tests: what may go wrong with each system call: errors that it may give, less than was asked for, a signal that comes.
import os
import re
from dataclasses import dataclass

# Argument that says how much (from 0), and the call's number (x86-64).
SHORT = {"read": (2, 0), "write": (2, 1), "pread64": (2, 17), "pwrite64": (2, 18), "readv": (2, 19), "writev": (2, 20),
         "sendfile": (3, 40), "preadv": (2, 295), "pwritev": (2, 296), "copy_file_range": (4, 326),
         "sendto": (2, 44), "recvfrom": (2, 45)}
TRANSFER_IN = ("EIO", "EINTR", "EAGAIN", "EBADF")
TRANSFER_OUT = ("EIO", "ENOSPC", "EINTR", "EPIPE", "EFBIG")
OPENING = ("EACCES", "ENOENT", "EMFILE", "EINTR")
ERRORS = {
    "read": TRANSFER_IN, "pread64": TRANSFER_IN, "readv": TRANSFER_IN, "preadv": TRANSFER_IN,
    "write": TRANSFER_OUT, "pwrite64": TRANSFER_OUT, "writev": (*TRANSFER_OUT, "EAGAIN"), "pwritev": TRANSFER_OUT,
    "open": OPENING, "openat": OPENING, "creat": (*OPENING, "ENOSPC"),
    "close": ("EIO", "EINTR"), "newfstatat": ("EACCES", "ENOMEM"), "fstat": ("EIO", "ENOMEM"), "lseek": ("ESPIPE", "EINVAL"),
    "copy_file_range": ("EIO", "ENOSPC", "EINTR", "EXDEV", "EINVAL", "ENOSYS", "EBADF", "EOPNOTSUPP", "EFBIG"),
    "sendfile": ("EIO", "EINTR", "EINVAL", "EAGAIN"),
    "fadvise64": ("EINVAL", "ESPIPE"), "fsync": ("EIO", "EINTR"), "fdatasync": ("EIO", "ENOSPC"), "ftruncate": ("EIO",),
    "mmap": ("ENOMEM",), "unlink": ("EACCES",), "unlinkat": ("EACCES",), "mkdirat": ("EACCES", "ENOSPC"),
    "fcntl": ("EAGAIN", "EINTR"), "getdents64": ("EIO",), "fchown": ("EPERM",), "fchmod": ("EPERM",), "utimensat": ("EPERM",),
    "ioctl": ("EINVAL", "EXDEV"), "fallocate": ("EOPNOTSUPP", "ENOSPC"), "splice": ("EINVAL", "EIO"),
    "socket": ("EMFILE", "EACCES"), "bind": ("EADDRINUSE", "EACCES"), "listen": ("EADDRINUSE",), "setsockopt": ("EINVAL", "ENOPROTOOPT"),
    "accept": ("EAGAIN", "ECONNABORTED", "EMFILE", "EINTR"), "accept4": ("EAGAIN", "ECONNABORTED", "EMFILE", "ENOSYS", "EINTR"), "recvfrom": ("EAGAIN", "ECONNRESET", "EINTR"),
    "sendto": ("EAGAIN", "EPIPE", "EINTR"), "epoll_create": ("EMFILE",), "epoll_ctl": ("ENOMEM", "ENOSPC"), "epoll_wait": ("EINTR", "EINVAL"),
    "eventfd2": ("EMFILE",), "shutdown": ("ENOTCONN",),
}
# What a filter of system calls does: the program is killed, or told EPERM or ENOSYS.
FORBIDDEN = ("kill", "1", "38")
NUMBERS = "/usr/include/x86_64-linux-gnu/asm/unistd_64.h"
# To end at a call, and to be hit by what does nothing.
SIGNALS = ("SIGTERM", "SIGWINCH")


@dataclass(frozen=True)
class Fault:
    kind: str  # error, short, signal, forbidden
    what: str

    def __str__(self):
        return f"{self.kind} {self.what}"


def faults_of(name):
    found = [Fault("error", error) for error in ERRORS.get(name, ())]
    found += [Fault("short", amount) for amount in ("half", "one") if name in SHORT]
    return found + [Fault("signal", signal) for signal in SIGNALS]


def forbidder(shortener):
    """Where the program stands that forbids a call, beside the one that makes calls short."""
    return os.path.join(os.path.dirname(shortener), "forbid")


def number_of(name):
    with open(NUMBERS, encoding="ascii") as header:
        return re.search(rf"__NR_{name} (\d+)", header.read())[1]


def command_with(fault, call, shortener):
    """What stands in front of the program so that this call, the call.which-th of its name, has the fault."""
    if fault.kind == "forbidden":
        return [forbidder(shortener), "forbid", number_of(call.name), fault.what]
    if fault.kind == "short":
        argument, number = SHORT[call.name]
        return [shortener, str(number), str(call.which), str(argument), fault.what]
    # Not with --seccomp-bpf: under a filter of system calls an optimised program makes none of its own (crossing/copy.cc).
    return ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call.name}",
            "-e", f"inject={call.name}:{fault.kind}={fault.what}:when={call.which}"]
