# benchmarks: what Sun RPC's layers cost a call with an array of integers, beside hand-written code and a plain copy.
import os

from harness.ninja import Ninja
from harness.project import Missing, debian_source, package_flags
from harness.rounds import Failed, output_of
from harness.timed import build, chosen, measure
from harness.variants import Source, Variants, check_applied

DESCRIPTION = "Sun RPC with arrays of integers: messages made and read in memory, calls over UDP and TCP; against hand"

SIZES = (20, 100, 250, 500, 1000, 2000)
IN_MEMORY = [f"{kind}-{size}" for kind in ("encode", "decode") for size in SIZES]
NETWORK = [f"{kind}-{size}" for kind in ("udp", "tcp") for size in SIZES]
# Of the calls over the network, by default those with the largest array.
CASES = [*IN_MEMORY, "udp-2000", "tcp-2000"]
AGAINST = ("hand", "lto+pgo")
VARIANTS = ("hand", "memcpy", "libtirpc", "stock", "lto", "lto+pgo", "optimized")
# For this machine's own instructions, when they are asked for by name: most programs are built for any x86-64.
NATIVE = ("hand+native", "optimized+native")
# What the cases in memory enter. (What the calls over the network enter depends on what the run brought first.)
LAYERS = ("encode_call", "decode_reply")
# Messages of each kind and size in the run that is recorded; a fiftieth of it are calls.
TRAINING = 2000
# CPU time of a process is told in microseconds; a run of some thousand calls.
TIMED_S = 0.1
TOY_MESSAGES = 200

LIBRARY = ("xdr", "xdr_array", "xdr_mem", "xdr_rec", "xdr_ref", "rpc_prot", "clnt_udp", "clnt_tcp", "clnt_perr", "svc",
           "svc_udp", "svc_tcp", "svc_run", "svc_auth", "svc_authux", "auth_none", "auth_unix", "authuxprot", "create_xid",
           "pm_getport", "pmap_clnt", "pmap_prot", "pmap_prot2", "rpc_cmsg", "rpc_common", "rpc_dtable", "rpc_thread",
           "get_myaddr")
# What glibc's own build would find beside the sources, and compat/glibc.h makes superfluous.
EMPTY_HEADERS = ("libc-lock.h", "libc-tsd.h", "shlib-compat.h", "libc-symbols.h", "libio/iolibio.h", "kernel-features.h",
                 "libc-diag.h", "errqueue.h", "struct___timespec64.h")
# Parts of the program: what rpcgen made, and ours.
STUBS = {"ints.h": "-h", "ints_xdr.c": "-c", "ints_clnt.c": "-l", "ints_svc.c": "-m"}


class Builder:
    def __init__(self, project):
        self.project = project
        self.folder = project.source("rpc")
        self.glibc = debian_source(project, "glibc")
        self.ninja = Ninja(project.scratch("rpc"))
        self.generated = os.path.join(self.ninja.folder, "generated")
        stubs = [self.generate(name, option) for name, option in STUBS.items()]
        self.variants = Variants(project, self.ninja, self.sources(), f"all {TRAINING}", needs=stubs)

    def generate(self, name, option):
        # In the file's own folder: rpcgen writes the path that it is given into what it makes.
        interface = self.ninja.edge(os.path.join(self.generated, "ints.x"), "cp $in $out",
                                    [os.path.join(self.folder, "ints.x")])
        return self.ninja.edge(os.path.join(self.generated, name), f"cd {self.generated} && rm -f {name} && "
                               f"rpcgen -C {option} -o {name} ints.x", [interface])

    def library_flags(self):
        empty = os.path.join(self.generated, "empty")
        for header in EMPTY_HEADERS:
            path = os.path.join(empty, header)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            if not os.path.exists(path):
                with open(path, "w", encoding="utf-8"):
                    pass
        compat = os.path.join(self.folder, "compat", "glibc.h")
        return ["-std=gnu11", "-w", "-include", compat, f"-I{empty}", f"-I{self.glibc}/include", f"-I{self.glibc}",
                f"-I{self.glibc}/inet"]

    def own_flags(self):
        # _ISOMAC: the headers as glibc installed them for everybody's programs.
        return ["-std=gnu11", "-D_ISOMAC", "-Wall", "-Wextra", f"-I{self.folder}", f"-I{self.project.source()}", f"-I{self.generated}",
                f"-isystem{self.glibc}/include", f"-isystem{self.glibc}"]

    def own(self, name, *flags):
        return Source(os.path.join(self.folder, name), *self.own_flags(), *flags)

    def library(self):
        files = [os.path.join(self.glibc, "sunrpc", f"{name}.c") for name in LIBRARY]
        files += [os.path.join(self.glibc, "inet", "deadline.c"), os.path.join(self.folder, "compat", "absent.c")]
        return [Source(path, *self.library_flags()) for path in files]

    def stub(self, name):
        return Source(os.path.join(self.generated, name), *self.own_flags(), "-w")

    def sources(self):
        return [*self.library(), self.stub("ints_xdr.c"), self.stub("ints_clnt.c"), self.stub("ints_svc.c"),
                self.own("message.c"), self.own("network.c"), self.own("main.c")]

    def hand(self, name, *flags):
        """The same program with the messages written by hand."""
        general = ["-Dencode_call=general_encode_call", "-Ddecode_reply=general_decode_reply"]
        sources = [*self.library(), self.stub("ints_clnt.c"), self.stub("ints_svc.c"), self.own("message.c", *general),
                   self.own("hand.c", *flags), self.own("hand_stub.c", *flags), self.own("network.c"), self.own("main.c")]
        return self.variants.plain(name, ["-O3"], sources)


    def tirpc(self):
        """The same program on libtirpc, glibc's successor, as Debian built it: a shared library."""
        flags, linking = package_flags("libtirpc")
        common = ["-std=gnu11", "-w", f"-I{self.folder}", f"-I{self.project.source()}", f"-I{self.generated}", *flags]
        paths = [os.path.join(self.generated, name) for name in ("ints_xdr.c", "ints_clnt.c", "ints_svc.c")]
        paths += [os.path.join(self.folder, name) for name in ("message.c", "network.c", "main.c")]
        variants = Variants(self.project, self.ninja, [Source(path, *common) for path in paths], "", linking,
                            self.variants.needs)
        return variants.plain("libtirpc")


def recipes(builder):
    variants = builder.variants
    return [
        ("hand", lambda: builder.hand("hand"), True),
        ("memcpy", lambda: builder.hand("memcpy", "-DPLAIN_COPY"), False),
        ("libtirpc", builder.tirpc, False),
        ("stock", variants.plain, True),
        ("lto", variants.lto, True),
        ("lto+pgo", variants.lto_pgo, True),
        ("optimized", variants.optimized, True),
        ("hand+native", lambda: builder.hand("hand-native", "-march=native"), False),
        ("optimized+native", lambda: variants.optimized("original-native", ["-march=native"]), False),
    ]


def digests(program, word, count):
    return {line.split()[0]: line.split()[-1] for line in output_of([program, word, count]).splitlines()}


def check_agreement(programs):
    """Every variant sends the same bytes and reads the same values, at every length and for every kind of error."""
    for word, count in (("all", "101"), ("edges", "1")):
        found = {name: digests(program, word, count) for name, program in programs.items() if name != "memcpy"}
        for name, digest in found.items():
            wrong = [case for case in digest if digest[case] != found[AGAINST[0]][case]]
            if wrong:
                raise Failed(f"{name} computes something other than {AGAINST[0]} in {', '.join(wrong)}")


def run(project, options):
    try:
        builder = Builder(project)
    except FileNotFoundError as problem:
        raise Missing(str(problem)) from problem
    everything = recipes(builder)
    names = [name for name, _, _ in everything]
    wanted = chosen(options.variants, names, AGAINST) if options.variants else VARIANTS
    cases = chosen(options.cases, [*IN_MEMORY, *NETWORK]) if options.cases else CASES
    programs = build(builder.ninja, [recipe for recipe in everything if recipe[0] in wanted])
    check_agreement(programs)
    if "optimized" in programs:
        check_applied("rpc", "specialize", LAYERS, programs["optimized"])

    def command_for(variant, case, count):
        return [programs[variant], case, str(count)], case

    messages = [case for case in cases if case in IN_MEMORY]
    calls = [case for case in cases if case in NETWORK]
    rows = measure("rpc", messages, list(programs), AGAINST, options, command_for, TIMED_S, unit="ns/message",
                   toy_count=TOY_MESSAGES)
    return rows + measure("rpc", calls, list(programs), AGAINST, options, command_for, TIMED_S, unit="ns/call", metric="cpu",
                          toy_count=TOY_MESSAGES)
