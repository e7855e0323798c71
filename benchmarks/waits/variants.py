# benchmarks: the ways to wait that are compared: how each program is built, which cases make sense for it, what can be counted.
import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from harness.project import Missing, package_flags

CASES = ("null", "ready", "timer0", "fork-join", "timeout", "blocked")
COMPILER = "clang++-19"
FLAGS = ["-O3", "-std=c++20", "-Wall", "-Wextra"]


def need(tool, package):
    if shutil.which(tool) is None:
        raise Missing(f"{tool} is not installed: run tools/setup, or apt-get install {package}")


def compiled(project, ninja, name, flags=(), linked=(), libraries=(), source=None):
    source = project.source("waits", f"{source or name}.cc")
    unit = ninja.compile(source, f"{name}.o", COMPILER, [*FLAGS, f"-I{project.include}", *flags])
    command = f"{COMPILER} $in {' '.join([*libraries, *linked])} -o $out"
    return ninja.edge(os.path.join(ninja.folder, name), command, [unit], libraries)


def make_thalweg(project, ninja, name):
    return compiled(project, ninja, name, libraries=[project.library])


def make_asio(project, ninja, name):
    if not os.path.exists("/usr/include/asio.hpp"):
        raise Missing("Asio is not installed: run tools/setup, or apt-get install libasio-dev")
    # Its version 1.22 asks for gcc, or for what clang called coroutines before they were in the standard.
    return compiled(project, ninja, name, ["-DASIO_HAS_CO_AWAIT=1", "-DASIO_HAS_STD_COROUTINE=1"])


def make_boost_asio(project, ninja, name):
    if not os.path.exists("/usr/include/boost/asio.hpp"):
        raise Missing("Boost.Asio is not installed: run tools/setup, or apt-get install libboost-dev")
    # As above, of its version 1.74, which uses std::exchange without its header.
    flags = ["-DWAITS_BOOST", "-include", "utility", "-DBOOST_ASIO_HAS_CO_AWAIT=1", "-DBOOST_ASIO_HAS_STD_COROUTINE=1"]
    return compiled(project, ninja, name, flags, source="asio")


def make_libuv(project, ninja, name):
    need("pkg-config", "pkg-config")
    flags, linked = package_flags("libuv")
    return compiled(project, ninja, name, flags, linked)


def make_go(project, ninja, name):
    need("go", "golang-go")
    folder = project.source("waits", "go")
    command = (f"cd {folder} && GOCACHE={ninja.folder}/go-cache GOTOOLCHAIN=local GOFLAGS=-buildvcs=false "
               f"go build -o {ninja.folder}/{name} .")
    return ninja.edge(os.path.join(ninja.folder, name), command, [os.path.join(folder, file) for file in ("main.go", "go.mod")])


def make_tokio(project, ninja, name):
    need("cargo", "cargo rustc")
    folder = project.source("waits", "tokio")
    fetch = os.path.join(project.root, "tools", "crates")
    target = os.path.join(ninja.folder, "cargo")
    command = (f"made=$$({fetch} {folder}) && cargo build --quiet --release --offline --locked --target-dir {target} "
               f"--manifest-path $$made/Cargo.toml && cp {target}/release/waits-tokio $out")
    files = ("src/main.rs", "Cargo.toml", "Cargo.lock")
    return ninja.edge(os.path.join(ninja.folder, name), command, [os.path.join(folder, file) for file in files], [fetch])


@dataclass
class Variant:
    make: Callable  # (project, ninja, name) -> the program's path
    cases: tuple = CASES
    counts_allocations: bool = True
    counts_instructions: bool = True


VARIANTS = {
    "bare": Variant(compiled),
    "thalweg": Variant(make_thalweg),
    "asio": Variant(make_asio, ("null", "timer0", "fork-join", "timeout", "blocked")),
    "boost-asio": Variant(make_boost_asio, ("null", "timer0", "fork-join", "blocked")),
    "libuv": Variant(make_libuv, ("timer0", "timeout")),
    # valgrind does not run Go's own stacks and preemption faithfully.
    "go": Variant(make_go, counts_instructions=False),
    "tokio": Variant(make_tokio),
    # What threads cost is the kernel's, which neither valgrind nor an allocator sees.
    "pthread": Variant(compiled, counts_allocations=False, counts_instructions=False),
}
