# benchmarks: the tour's table and its bars as one HTML file that needs no network and no script, in the style of the report.
import base64
import hashlib
import html
import os

NAMES = {"original": "original", "lto": "LTO", "lto+pgo": "PGO + LTO", "optimized": "optimised", "hand": "by hand"}
WEB = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "src", "report", "web")
# The bars end before the track does, so that the longest whisker can be seen whole.
AIR = 1.05
OWN_STYLE = """
tbody th { font-size: inherit; color: inherit; vertical-align: top; }
tbody tr:last-child th { border-bottom: 0; }
.programs > li { padding-block: 1rem; border-top: 1px solid var(--line); }
.programs > li:first-child { border-top: 0; }
.programs p { margin-top: 0.2rem; }
.programs dl { display: grid; grid-template-columns: 6rem minmax(6rem, 1fr) 9.5rem; gap: 0.3rem 1rem; align-items: center; margin-top: 0.6rem; }
.programs dt { grid-column: 1; font-size: 0.875rem; }
.programs dd { grid-column: 2 / -1; display: grid; grid-template-columns: subgrid; align-items: center; }
.programs svg { width: 100%; height: 1.1rem; background: var(--sunken); border-radius: 4px; }
.programs rect { fill: var(--strong-line); }
.programs .ahead rect { fill: var(--applied); }
.programs .behind rect { fill: var(--refused); }
.programs line { vector-effect: non-scaling-stroke; stroke: var(--ink); stroke-width: 1.5; }
.programs .one { stroke: var(--muted); stroke-dasharray: 3 3; }
@media (max-width: 44rem) {
  .programs dl { grid-template-columns: 5rem minmax(3rem, 1fr); }
  .programs .number { grid-column: 2; text-align: left; }
}
"""


def verdict(row):
    """(its class, in words): what the interval of the optimised program's ratio says."""
    low, high = row["spread"]
    against = NAMES[row["against"]]
    if high < 1:
        return "ahead", f"ahead of {against}: {(1 - row['ratio']) * 100:.0f} % less time"
    if low > 1:
        return "behind", f"behind {against}: {(row['ratio'] - 1) * 100:.0f} % more time"
    return "level", f"level with {against}"


def by_program(rows):
    programs = {}
    for row in rows:
        programs.setdefault(row["case"], {})[row["variant"]] = row
    return programs


def table(programs, columns):
    head = "".join(f'<th scope="col" class="number">{NAMES[column]}</th>' for column in columns)
    lines = []
    for title, own in programs.items():
        cells = "".join(f'<td class="number">{own[column]["ratio"]:.2f}</td>' if column in own else '<td class="number">&ndash;</td>' for column in columns)
        low, high = own["optimized"]["spread"]
        tone, words = verdict(own["optimized"])
        tone = {"ahead": "applied", "behind": "refused", "level": "none"}[tone]
        lines.append(f'<tr><th scope="row">{html.escape(title)}</th>{cells}<td class="number">{low:.2f} to {high:.2f}</td>'
                     f'<td><span class="badge {tone}">{html.escape(words)}</span></td></tr>')
    return (f'<table><caption>Time, PGO + LTO = 1: less is faster</caption><thead><tr><th scope="col">program</th>{head}'
            f'<th scope="col" class="number">optimised, 95 %</th><th scope="col">verdict</th></tr></thead><tbody>{"".join(lines)}</tbody></table>')


def bar(row, most):
    """A bar to the ratio, a whisker over its interval, and where 1 is, on a track that ends at `most`."""
    at = lambda value: f"{value / most * 100:.2f}"
    low, high = row["spread"]
    return (f'<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect x="0" y="1.5" width="{at(row["ratio"])}" height="7"/>'
            f'<line class="one" x1="{at(1)}" x2="{at(1)}" y1="0" y2="10"/><line x1="{at(low)}" x2="{at(high)}" y1="5" y2="5"/>'
            f'<line x1="{at(low)}" x2="{at(low)}" y1="2.5" y2="7.5"/><line x1="{at(high)}" x2="{at(high)}" y1="2.5" y2="7.5"/></svg>')


def chart(programs, columns):
    items = []
    for title, own in programs.items():
        most = max(1, *(row["spread"][1] for row in own.values())) * AIR
        tone, words = verdict(own["optimized"])
        bars = "".join(f'<dt>{NAMES[column]}</dt><dd class="{tone if column == "optimized" else "other"}">{bar(own[column], most)}'
                       f'<span class="number"><strong>{own[column]["ratio"]:.2f}</strong> <span class="muted">{own[column]["spread"][0]:.2f} to '
                       f'{own[column]["spread"][1]:.2f}</span></span></dd>' for column in columns if column in own)
        items.append(f'<li><h3>{html.escape(title)}</h3><p class="muted">{html.escape(words)}</p><dl>{bars}</dl></li>')
    return f'<ul class="plain programs">{"".join(items)}</ul>'


def style():
    texts = []
    for name in ("base.css", "parts.css", "media.css"):
        with open(os.path.join(WEB, name), encoding="utf-8") as file:
            texts.append(file.read())
    return "".join(texts) + OWN_STYLE


def page_of(rows, columns):
    """Rows as bench.py makes them, held against one of the columns."""
    programs = by_program(rows)
    css = style()
    digest = base64.b64encode(hashlib.sha256(css.encode()).digest()).decode()
    tones = [verdict(own["optimized"])[0] for own in programs.values()]
    summary = f"{len(programs)} programs: {tones.count('ahead')} ahead, {tones.count('level')} level, {tones.count('behind')} behind."
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-{digest}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Thalweg: the tour</title>
<style>{css}</style>
</head>
<body>
<header><div><p class="product">Thalweg</p><h1>The tour</h1></div></header>
<main>
<section>
<h2>What each kind of crossing brings</h2>
<p class="headline">{summary}</p>
<p class="lede">Unmodified programs, each as the compiler makes it, under LTO, under PGO + LTO, optimised by Thalweg, and by hand where somebody wrote that.
Of functions that wait, by hand is 1. Medians of {rows[0]['n']} interleaved repetitions on this machine; what each program is: benchmarks/README.md.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of ratios">{table(programs, columns)}</div>
</section>
<section>
<h2>The same as bars</h2>
<p class="lede">Each program has a scale of its own. Dashed: 1. Whisker: the 95 % interval. Green: ahead, orange: behind, grey: level, or another way to have
the program.</p>
{chart(programs, columns)}
</section>
</main>
<footer>One file, no network, no script.</footer>
</body>
</html>
"""
