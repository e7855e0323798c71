# tests: plans and profiles that lie. Each function takes honest bytes and gives dishonest ones.
import random
import re
import sqlite3

# Refused layers that are taken back in one plan. Each costs the specialiser some seconds (measured: up to 4 s below
# LARGEST_TAKEN_BACK instructions of growth; a main above it up to 46 s), and ./test makes 14 such plans.
LAYERS_TAKEN_BACK = 2
LARGEST_TAKEN_BACK = 16000


def words_of(plan, key):
    return re.findall(rf'\b{key}\s*=\s*"([^"]*)"', plan)


def exchange_words(pick, plan, key):
    """Each value of the key becomes some other value of it: handlers that never ran there, in orders that never were."""
    words = words_of(plan, key)
    if not words:
        return plan
    return re.sub(rf'(\b{key}\s*=\s*)"[^"]*"', lambda found: f'{found.group(1)}"{pick.choice(words)}"', plan)


def exchange_numbers(pick, plan, key):
    return re.sub(rf"(\b{key}\s*=\s*)\d+", lambda found: found.group(1) + str(pick.choice((0, 0, 1, 2, 3, 7))), plan)


def without_contexts(pick, plan):
    """Any context will do, says the plan: a handler of one object is run for another."""
    return re.sub(r'(\bcontext\s*=\s*)"[^"]*"', r'\1""', plan)


def refusals_taken_back(pick, plan):
    """What the plan refuses is applied all the same: all dispatches, and a few layers."""
    head, *decisions = re.split(r"(?m)^(?=\[\[decision\]\])", plan)
    layers = [i for i, text in enumerate(decisions) if is_layer_to_take_back(text)]
    chosen = pick.sample(layers, min(LAYERS_TAKEN_BACK, len(layers)))
    return head + "".join(without_refusal(text) if i in chosen or 'kind = "specialize"' not in text else text
                          for i, text in enumerate(decisions))


def is_layer_to_take_back(decision):
    growth = int(re.search(r"(?m)^growth_instructions = (\d+)", decision).group(1))
    return 'kind = "specialize"' in decision and 'verdict = "refuse"' in decision and growth <= LARGEST_TAKEN_BACK


def without_refusal(decision):
    decision = re.sub(r'(\bverdict\s*=\s*)"refuse"', r'\1"apply"', decision)
    return re.sub(r'(\brefusal\s*=\s*)"[^"]*"', r'\1""', decision)


def believed(pick, plan):
    """Every fact is to be trusted, says the plan, and many are wrong."""
    return exchange_numbers(pick, re.sub(r"\btrusted\s*=\s*false", "trusted = true", plan), "bits")


def shuffled_lists(pick, plan):
    """The targets of each decision in another order."""

    def shuffle(found):
        items = re.findall(r"\{[^{}]*\}", found.group(0))
        pick.shuffle(items)
        return "[" + ", ".join(items) + "]"

    return re.sub(r"\[\s*\{[^\[\]]*\}\s*,?\s*\]", shuffle, plan)


def hostile_plans(seed, plan):
    """[(name, text)] of one honest plan."""
    pick = random.Random(seed)
    functions = exchange_words(pick, plan, "function")
    return [
        ("wrong-functions", functions),
        ("wrong-contexts", exchange_words(pick, without_contexts(pick, plan) if pick.random() < 0.3 else plan, "context")),
        ("no-contexts", without_contexts(pick, plan)),
        ("wrong-nesting", exchange_numbers(pick, exchange_numbers(pick, plan, "parent"), "position")),
        ("wrong-ordinals", exchange_numbers(pick, plan, "ordinal")),
        ("other-order", shuffled_lists(pick, plan)),
        ("believed", believed(pick, plan)),
        ("no-refusals", refusals_taken_back(pick, plan)),
        ("all-wrong", refusals_taken_back(pick, exchange_words(pick, functions, "context"))),
    ]


def damaged(seed, data):
    """Bytes of a profile with some flipped, or cut short."""
    pick = random.Random(seed)
    if pick.random() < 0.3:
        return data[: pick.randrange(len(data))]
    changed = bytearray(data)
    for _ in range(pick.choice((1, 3, 20, 200))):
        changed[pick.randrange(len(changed))] = pick.randrange(256)
    return bytes(changed)


# The columns of a profile (docs/formats/profile.md) that say what ran where.
LIES = {"targets": ("function", "context", "context_offset", "ordinal"), "sequences": ("site", "event", "count"),
        "nestings": ("position", "handler", "child_event", "child_site", "parent_site"), "symbols": ("name",),
        "sites": ("function", "ordinal")}


def lying_profile(seed, path):
    """A profile that is whole and valid, but for what it says: values of a column have changed places."""
    pick = random.Random(seed)
    connection = sqlite3.connect(path)
    for table in pick.sample(sorted(LIES), pick.randint(1, 3)):
        cursor = connection.execute(f'select * from "{table}"')
        place = [column[0] for column in cursor.description].index(pick.choice(LIES[table]))
        rows = [list(row) for row in cursor]
        values = [row[place] for row in rows]
        pick.shuffle(values)
        connection.execute(f'delete from "{table}"')
        for row, value in zip(rows, values):
            row[place] = value
            # Where a name must be unique, the second one is left out.
            connection.execute(f'insert or ignore into "{table}" values ({", ".join("?" * len(row))})', row)
    connection.commit()
    connection.close()
