# benchmarks: one table of real programs, unmodified, one or more for each kind of crossing, in the ways that a user could have them.
import importlib
from types import SimpleNamespace

from harness.rounds import Failed
from tour.page import page_of

DESCRIPTION = "one program for each kind of crossing: original, LTO, PGO + LTO, optimised, by hand; against lto+pgo"

AGAINST = "lto+pgo"
COLUMNS = ("original", "lto", "lto+pgo", "optimized", "hand")
# (what it is, the benchmark, its case, {a variant of the benchmark: the column, where it is called otherwise}). Where one of these is by hand and
# AGAINST is not among the variants, as of functions that wait, by hand is 1.
ROWS = (
    ("order book of callbacks", "book", "book", {}),
    ("Sun RPC: 2,000 integers encoded", "rpc", "encode-2000", {"stock": "original"}),
    ("Sun RPC: 2,000 integers decoded", "rpc", "decode-2000", {"stock": "original"}),
    ("libpcap: a packet filtered", "layers", "bpf", {"stock": "original"}),
    ("nanopb: a message encoded", "layers", "nanopb-encode", {"stock": "original"}),
    ("nanopb: a message decoded", "layers", "nanopb-decode", {"stock": "original"}),
    ("nettle: AES, a key for each message", "layers", "aes-keys", {"stock": "original"}),
    ("copy of a file of 925 KB", "copy", "925K", {}),
    ("Tame: a timer (by hand = 1)", "waits", "timer0", {"bare": "hand", "thalweg": "optimized"}),
    ("Tame: a child (by hand = 1)", "waits", "fork-join", {"bare": "hand", "thalweg": "optimized"}),
)


def asked(options, name, chosen):
    """What the chosen rows want of one benchmark."""
    rows = [row for row in chosen if row[1] == name]
    words = {own: column for row in rows for own, column in row[3].items()}
    own = {column: variant for variant, column in words.items()}
    module = importlib.import_module(f"{name}.bench")
    variants = [own.get(column, column) for column in COLUMNS]
    variants = [variant for variant in variants if variant in module.VARIANTS]
    return module, SimpleNamespace(cases=",".join(row[2] for row in rows), variants=",".join(variants), toy=options.toy, rounds=options.rounds)


def chosen_rows(cases):
    """All, or those that are named, by their benchmark ("layers") or by its case as well ("layers/bpf")."""
    if cases is None:
        return ROWS
    wanted = set(cases.split(","))
    known = {name for row in ROWS for name in (row[1], f"{row[1]}/{row[2]}")}
    if unknown := wanted - known:
        raise Failed(f"no case {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return [row for row in ROWS if wanted & {row[1], f"{row[1]}/{row[2]}"}]


def run(project, options):
    chosen = chosen_rows(options.cases)
    measured = []
    for name in dict.fromkeys(row[1] for row in chosen):
        module, own_options = asked(options, name, chosen)
        measured += module.run(project, own_options)
    rows = []
    for title, name, case, words in chosen:
        against = next((own for own, column in words.items() if column == "hand"), AGAINST)
        for row in measured:
            if (row["bench"], row["case"], row["against"]) == (name, case, against) and row["metric"] in ("time", "cpu"):
                rows.append({**row, "bench": "tour", "case": title, "variant": words.get(row["variant"], row["variant"]),
                             "against": words.get(against, against)})
    return rows


def show(rows):
    """A line a program, a column a way to have it."""
    print(f"{'time, PGO + LTO = 1':36}" + "".join(f"{name:>10}" for name in ("original", "LTO", "PGO + LTO", "optimised", "by hand")) +
          "   optimised, 95 %")
    for title in dict.fromkeys(row["case"] for row in rows):
        own = {row["variant"]: row for row in rows if row["case"] == title}
        cells = "".join(f"{own[column]['ratio']:10.2f}" if column in own else f"{'':>10}" for column in COLUMNS)
        low, high = own["optimized"]["spread"]
        print(f"{title:36}{cells}   {low:.2f} to {high:.2f}")
    print(f"median of {rows[0]['n']} interleaved repetitions on this machine")


def html(rows):
    return page_of(rows, COLUMNS)
