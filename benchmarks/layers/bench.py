# benchmarks: programs of generic layers that nobody wrote to be specialised, with the facts that each of them keeps constant.
import os
from dataclasses import dataclass, field

from harness.ninja import Ninja
from harness.project import debian_source
from harness.rounds import Failed, output_of
from harness.timed import build, chosen, measure
from harness.variants import Source, Variants, check_applied

DESCRIPTION = "packet filter, protobuf messages, ciphers' keys: generic libraries with constant programs; against lto+pgo and hand"

AGAINST = ("hand", "lto+pgo")
VARIANTS = ("hand", "stock", "lto", "lto+pgo", "optimized")
TRAINING = 20000
TIMED_S = 0.05
TOY_COUNT = 2000

PCAP_FILES = ("bpf_filter.c",)
# Lua's core and the auxiliary library; no library of the language is opened.
LUA_FILES = ("lapi", "lauxlib", "lcode", "lctype", "ldebug", "ldo", "ldump", "lfunc", "lgc", "llex", "lmem", "lobject",
             "lopcodes", "lparser", "lstate", "lstring", "ltable", "ltm", "lundump", "lvm", "lzio")
NETTLE_FILES = ("aes128-set-decrypt-key", "aes128-set-encrypt-key", "aes-set-key-internal", "aes-invert-internal", "aes128-decrypt",
                "aes-decrypt-internal", "aes-decrypt-table", "aes-encrypt-table", "aes-decrypt", "aes-set-decrypt-key", "aes-set-encrypt-key",
                "aes192-set-decrypt-key", "aes192-set-encrypt-key", "aes192-decrypt", "aes256-set-decrypt-key",
                "aes256-set-encrypt-key", "aes256-decrypt", "twofish")
NANOPB_FILES = ("pb_encode.c", "pb_decode.c", "pb_common.c")


@dataclass
class Program:
    """One program: its cases, its own files and those of hand; what a library or a generator gives comes from its recipe."""

    name: str
    cases: tuple  # (the benchmark's case, its name in the program's output)
    recipe: str
    files: tuple
    hand: tuple
    link: tuple = ()
    defines: dict = field(default_factory=dict)  # of files in hand: flags
    layers: tuple = ()  # functions that are specialised; when one of them is not any more, the benchmark fails
    kept: tuple = ()  # functions whose results are kept: the same


PROGRAMS = (
    Program("bpf", (("bpf", "filter"),), "pcap", ("bpf/main.c", "bpf/constant.c"), ("bpf/main.c", "bpf/hand.c"),
            layers=("bpf_filter",)),
    Program("bpf-heap", (("bpf-heap", "filter"),), "pcap", ("bpf/main.c", "bpf/compiled.c"), ("bpf/main.c", "bpf/hand.c"),
            link=("-lpcap",)),
    Program("nanopb", (("nanopb-encode", "nanopb-encode"), ("nanopb-decode", "nanopb-decode")), "nanopb",
            ("messages/nanopb_main.c", "messages/nanopb.c"),
            ("messages/nanopb_main.c", "messages/nanopb_hand.c", "messages/nanopb.c"),
            defines={"messages/nanopb.c": ("-Dencode_report=general_encode_report", "-Ddecode_report=general_decode_report")},
            layers=("encode_report",)),
    Program("protobuf-c", (("protobuf-c-pack", "protobuf-c-pack"),), "protobuf_c",
            ("messages/protobuf_c_main.c", "messages/protobuf_c.c"),
            ("messages/protobuf_c_main.c", "messages/protobuf_c_hand.c", "messages/protobuf_c.c"),
            defines={"messages/protobuf_c.c": ("-Dpack_report=general_pack_report",)}, layers=("pack_report",)),
    Program("keys", (("aes-keys", "aes"), ("twofish-keys", "twofish"), ("twofish-new-keys", "twofish-new-keys")), "nettle",
            ("keys/main.c", "keys/messages.c"), ("keys/main.c", "keys/hand.c"),
            kept=("nettle_aes128_set_decrypt_key", "nettle_twofish128_set_key")),
    Program("lua", (("lua", "lua"),), "lua", ("lua/main.c", "lua/script.c"), ("lua/main.c", "lua/hand.c"), link=("-lm",)),
)


class Builder:
    def __init__(self, project, program):
        self.project = project
        self.program = program
        self.folder = project.source("layers")
        self.ninja = Ninja(os.path.join(project.scratch("layers"), program.name))
        self.generated = os.path.join(self.ninja.folder, "generated")
        library, includes, needs = getattr(self, program.recipe)()
        self.library = [Source(path, "-std=gnu11", "-w", *includes) for path in library]
        self.includes = includes
        self.variants = Variants(project, self.ninja, self.sources(program.files, {}), f"all {TRAINING}", program.link, needs)

    def sources(self, files, defines):
        common = project_flags(self.project, self.folder)
        own = [Source(os.path.join(self.folder, name), *common, *self.includes, *defines.get(name, ())) for name in files]
        return [*own, *self.library]

    def pcap(self):
        pcap = debian_source(self.project, "libpcap")
        return [os.path.join(pcap, name) for name in PCAP_FILES], [f"-isystem{pcap}"], []

    def nettle(self):
        nettle = debian_source(self.project, "nettle")
        return [os.path.join(nettle, f"{name}.c") for name in NETTLE_FILES], [f"-I{self.folder}/keys", f"-isystem{nettle}"], []

    def lua(self):
        lua = os.path.join(debian_source(self.project, "lua5.4"), "src")
        return [os.path.join(lua, f"{name}.c") for name in LUA_FILES], [f"-isystem{lua}"], []

    def from_interface(self, outputs, command, extra=()):
        """What a generator makes of the messages' description."""
        copies = [self.ninja.edge(os.path.join(self.generated, name), "cp $in $out",
                                  [os.path.join(self.folder, "messages", name)]) for name in ("report.proto", *extra)]
        paths = [os.path.join(self.generated, name) for name in outputs]
        self.ninja.edge(paths[0], f"cd {self.generated} && {command}", copies)
        for path in paths[1:]:
            self.ninja.edge(path, "touch $out", [paths[0]])  # as new as what it came with, or it is out of date for ever
        return paths

    def nanopb(self):
        nanopb = debian_source(self.project, "nanopb")
        made = self.from_interface(("report.pb.c", "report.pb.h"), "nanopb_generator.py -q -I . report.proto", ("report.options",))
        library = [os.path.join(nanopb, name) for name in NANOPB_FILES]
        return [made[0], *library], [f"-isystem{nanopb}", f"-I{self.generated}"], made

    def protobuf_c(self):
        library = debian_source(self.project, "protobuf-c")
        made = self.from_interface(("report.pb-c.c", "report.pb-c.h"), "protoc-c --c_out=. report.proto")
        return [made[0], os.path.join(library, "protobuf-c", "protobuf-c.c")], [f"-isystem{library}", f"-I{self.generated}"], made

    def recipes(self):
        variants = self.variants
        hand = self.sources(self.program.hand, self.program.defines)
        return [
            ("hand", lambda: variants.plain("hand", ["-O3"], hand), True),
            ("stock", variants.plain, True),
            ("lto", variants.lto, True),
            ("lto+pgo", variants.lto_pgo, True),
            ("optimized", variants.optimized, True),
        ]


def project_flags(project, folder):
    return ["-std=gnu11", "-D_GNU_SOURCE", "-Wall", "-Wextra", f"-I{folder}", f"-I{project.source()}"]


def check_agreement(name, programs):
    """Every variant computes the same, also from what is cut off, too long or wrong."""
    for word, count in (("all", "10007"), ("edges", "1")):
        found = {variant: [(line.split()[0], line.split()[-1]) for line in output_of([program, word, count]).splitlines()]
                 for variant, program in programs.items()}
        for variant, digest in found.items():
            if digest != found[AGAINST[0]]:
                raise Failed(f"{name}: {variant} computes {digest}, {AGAINST[0]} computes {found[AGAINST[0]]}")


def run(project, options):
    cases = chosen(options.cases, [case for program in PROGRAMS for case, _ in program.cases])
    wanted = chosen(options.variants, VARIANTS, AGAINST)
    rows = []
    for program in PROGRAMS:
        names = {case: printed for case, printed in program.cases if case in cases}
        if not names:
            continue
        builder = Builder(project, program)
        programs = build(builder.ninja, [recipe for recipe in builder.recipes() if recipe[0] in wanted])
        check_agreement(program.name, programs)
        if "optimized" in programs:
            check_applied(program.name, "specialize", program.layers, programs["optimized"])
            check_applied(program.name, "cache", program.kept, programs["optimized"])

        def command_for(variant, case, count, programs=programs, names=names):
            return [programs[variant], names[case], str(count)], names[case]

        rows += measure("layers", list(names), list(programs), AGAINST, options, command_for, TIMED_S, unit="ns/operation",
                        toy_count=TOY_COUNT)
    return rows
