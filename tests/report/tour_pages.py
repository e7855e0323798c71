#!/usr/bin/env python3
# tests: usage: tour_pages.py FOLDER: the tour's page of made-up rows, and of a real run at toy size ($THALWEG_BUILD), for the browser test.
import os
import subprocess
import sys

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "benchmarks"))
from tour.bench import html  # noqa: E402

# One that is ahead, one that is behind, one that is level, one that has by hand alone to be held against, and a name that would be markup.
SAMPLE = {
    "packets <img src=x onerror=alert(1)> & more": ("lto+pgo", {"original": 1.2, "lto": 1.1, "lto+pgo": 1.0, "optimized": 0.25, "hand": 0.2}),
    "a decoder": ("lto+pgo", {"original": 1.97, "lto": 1.96, "lto+pgo": 1.0, "optimized": 1.36, "hand": 0.18}),
    "an order book": ("lto+pgo", {"original": 1.28, "lto": 1.21, "lto+pgo": 1.0, "optimized": 1.0}),
    "a child": ("hand", {"optimized": 1.30, "hand": 1.0}),
}


def rows():
    for title, (against, ratios) in SAMPLE.items():
        for variant, ratio in ratios.items():
            spread = [ratio * 0.95, ratio * 1.05] if variant != against else [1.0, 1.0]
            yield {"bench": "tour", "case": title, "variant": variant, "ratio": ratio, "against": against, "n": 7, "spread": spread}


folder = sys.argv[1]
with open(os.path.join(folder, "sample.html"), "w", encoding="utf-8") as file:
    file.write(html(list(rows())))
build = os.environ["THALWEG_BUILD"]
subprocess.run([os.path.join(ROOT, "bench"), "tour", "--toy", "--cases", "book", "--build", build, "--html", os.path.join(folder, "toy.html")],
               check=True, stdout=subprocess.DEVNULL)
