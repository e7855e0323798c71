# tests: facts about a program, read from its IR: such as hold for some of its calls, and such as never do.
import json
import random
import re

NAME = r'@("(?:[^"])*"|[\w.$-]+)'
DEFINE = re.compile(rf"^define [^@]*{NAME}\(", re.MULTILINE)
CALL = re.compile(rf"\b(?:call|invoke) [^@\n]*{NAME}\(")
LOAD = re.compile(rf"= load (?:atomic )?(?:volatile )?(i\d+|ptr), ptr (?:{NAME}|%)")
GLOBAL = re.compile(rf"^{NAME} = [^\n]*?\b(?:global|constant) (i\d+) (-?\d+)", re.MULTILINE)
CONSTANT = re.compile(rf"(i\d+|ptr) (?:[a-z_]+(?:\([^)]*\))? )*(-?\d+|null|true|false|{NAME})$")

CALLED = re.compile(r"^ +(?:%[^ ]+ = )?(?:tail |musttail |notail )?(?:call|invoke) ((?:[a-z_]+(?:\([^)]*\))? )*)(.*)$", re.MULTILINE)

MOST_VALUES = 3  # of a fact
MOST_LOADS = 24  # facts about loads, of one decision
# Values that are wrong nearly always, but such as a program may hold.
WRONG = (0, 1, 2, 3, -1, 7, 64, 255, 0x7fffffff, -0x80000000, 0x123456789)


def split_arguments(text):
    """The arguments that begin at the front of text, up to their closing bracket."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        if letter in "([{<":
            depth += 1
        elif letter in ")]}>":
            if depth == 0:
                parts.append(text[start:i].strip())
                return [part for part in parts if part]
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i].strip())
            start = i + 1
    return []


def width_of(kind):
    bits = 64 if kind == "ptr" else int(kind[1:])
    return (bits + 7) // 8 if bits <= 64 else None


class Function:
    def __init__(self, name, arguments, loads, results):
        self.name = name
        self.arguments = arguments  # type of each, e.g. "i32"
        self.loads = loads  # (type, name of the variable or None), in block order
        self.results = results  # of each call but those of intrinsics, in block order: its type, None where that is no number
        self.called_with = {}  # argument: values of the calls that have a constant there


class Module:
    def __init__(self, text, sites):
        self.hashes = {body["name"]: body["body_hash"] for body in json.loads(sites)["functions"]}
        self.globals = {name.strip('"'): (kind, int(value)) for name, kind, value in GLOBAL.findall(text)}
        self.functions = {}
        for match in DEFINE.finditer(text):
            line = text[match.end():text.index("\n", match.end())]
            body = text[match.end():text.find("\n}", match.end())]
            name = match[1].strip('"')
            arguments = [part.split()[0] for part in split_arguments(line)]
            loads = [(kind, symbol.strip('"') or None) for kind, symbol in LOAD.findall(body)]
            if body.count("= load ") == len(loads) and name in self.hashes:
                self.functions[name] = Function(name, arguments, loads, results_in(body))
        self.note_calls(text)

    def note_calls(self, text):
        for match in CALL.finditer(text):
            function = self.functions.get(match[1].strip('"'))
            if function is None:
                continue
            for i, part in enumerate(split_arguments(text[match.end():match.end() + 4000])):
                constant = CONSTANT.fullmatch(part)
                if constant and i < len(function.arguments):
                    function.called_with.setdefault(i, []).append((constant[1], constant[2]))


def value(kind, word, width):
    if word.startswith("@"):
        return f'{{ symbol = {json.dumps(word[1:].strip(chr(34)))}, bits = 0 }}'
    number = {"null": 0, "false": 0, "true": 1}.get(word) if not re.match(r"-?\d", str(word)) else int(word)
    return f'{{ bits = "{number & ((1 << (8 * width)) - 1):#x}" }}'


def fact(module, kind, function, ordinal, width, values, path=(), stale=False):
    body_hash = module.hashes[function]
    if stale:
        body_hash = f"{int(body_hash, 16) ^ 1:#018x}"
    where = f", path = {list(path)}" if path else ""
    return (f'{{ kind = "{kind}", function = {json.dumps(function)}, ordinal = {ordinal}, width = {width}, '
            f'body_hash = "{body_hash}"{where}, values = [{", ".join(values)}], trusted = false }}')


def decision(module, number, function, facts, stale=False):
    body_hash = module.hashes[function]
    if stale:
        body_hash = f"{int(body_hash, 16) ^ 1:#018x}"
    site = f'{{ function = {json.dumps(function)}, ordinal = 0, body_hash = "{body_hash}" }}'
    return (f'[[decision]]\nid = {number}\nkind = "specialize"\nverdict = "apply"\nweight = 1000\nsite = {site}\n'
            f'facts = [{", ".join(facts)}]\n')


def caches(module):
    """For every function that there is: keep its results."""
    return [f'[[decision]]\nid = {number}\nkind = "cache"\nverdict = "apply"\nweight = 1000\n'
            f'site = {{ function = {json.dumps(name)}, ordinal = 0, body_hash = "{body_hash}" }}\n'
            for number, (name, body_hash) in enumerate(sorted(module.hashes.items()), 1)]


def plan(decisions):
    return 'format = "thalweg-plan"\nversion = 1\n\n' + "\n".join(decisions)


def argument_facts(module, function, stale=False):
    """What calls with constants say of the function's arguments, and of what lies behind them."""
    facts = []
    for i, found in sorted(function.called_with.items()):
        kind = function.arguments[i]
        usable = kind == "ptr" or re.fullmatch(r"i\d+", kind)
        width = width_of(kind) if usable else None
        words = [word for one, word in dict.fromkeys(found) if one == kind][:MOST_VALUES]
        if not width or not words:
            continue
        facts.append(fact(module, "argument", function.name, i, width, [value(kind, word, width) for word in words], stale=stale))
        pointed = [module.globals.get(word[1:]) for word in words if word.startswith("@")]
        if pointed and pointed[0]:
            inner, number = pointed[0]
            if width_of(inner):
                facts.append(fact(module, "memory", function.name, i, width_of(inner),
                                  [value(inner, str(number), width_of(inner))], [0], stale))
    return facts


def load_facts(module, stale=False):
    """Variables keep the values that they begin with: true of some loads, for some time."""
    facts = []
    for function in module.functions.values():
        for i, (kind, symbol) in enumerate(function.loads):
            known = module.globals.get(symbol)
            if known and known[0] == kind and width_of(kind):
                facts.append(fact(module, "load", function.name, i, width_of(kind), [value(kind, str(known[1]), width_of(kind))],
                                  stale=stale))
    return facts[:MOST_LOADS]


def calls(module, whole, stale=False):
    """Each function that is called with constants, for these; and the whole program, for its first argument's value."""
    plans = []
    loads = load_facts(module, stale)
    for function in module.functions.values():
        facts = argument_facts(module, function, stale)
        if function.name == whole:
            facts = [fact(module, "argument", whole, 0, 4, ['{ bits = "0x1" }'], stale=stale)]
        if facts:
            plans.append(decision(module, len(plans) + 1, function.name, facts + loads, stale))
    return plans


def whole(module, name):
    """The whole program alone."""
    if name not in module.functions:
        return []
    return [decision(module, 1, name, [fact(module, "argument", name, 0, 4, ['{ bits = "0x1" }'])])]


def results_in(body):
    """The types of what a body's calls give."""
    found = []
    for _, rest in CALLED.findall(body):
        if re.search(r"@llvm\.[\w.]+\(", rest.split(", ")[0]):
            continue
        kind = rest.split(" ")[0]
        found.append(kind if re.fullmatch(r"i\d+", kind) else None)
    return found


def lies(module, seed):
    """Facts of every kind about every function, nearly all of them wrong."""
    pick = random.Random(seed)
    plans = []

    def wrong(width):
        return [f'{{ bits = "{pick.choice(WRONG) & ((1 << (8 * width)) - 1):#x}" }}' for _ in range(pick.randint(1, MOST_VALUES))]

    loads = [fact(module, "load", function.name, i, width_of(kind), wrong(width_of(kind)))
             for function in module.functions.values() for i, (kind, _) in enumerate(function.loads) if width_of(kind)]
    results = [fact(module, "result", function.name, i, width_of(kind), wrong(width_of(kind)))
               for function in module.functions.values() for i, kind in enumerate(function.results) if kind and width_of(kind)]
    for function in module.functions.values():
        facts = []
        for i, kind in enumerate(function.arguments):
            if not re.fullmatch(r"i\d+|ptr", kind) or not width_of(kind):
                continue
            if pick.random() < 0.6:
                facts.append(fact(module, "argument", function.name, i, width_of(kind), wrong(width_of(kind))))
            if kind == "ptr" and pick.random() < 0.6:
                width = pick.choice((1, 2, 4, 8))
                path = [pick.choice((0, 0, 4, 8, 16, 4096, -8)) for _ in range(pick.randint(1, 2))]
                facts.append(fact(module, "memory", function.name, i, width, wrong(width), path))
        facts += pick.sample(loads, min(len(loads), pick.randint(0, 6)))
        facts += pick.sample(results, min(len(results), pick.randint(0, 6)))
        if facts:
            plans.append(decision(module, len(plans) + 1, function.name, facts))
    return plans
