#!/usr/bin/env python3
"""Makes the manual pages and the completions for shells of what `thalweg --help` and `thalweg VERB --help` say.

    tools/manual.py THALWEG FOLDER       FOLDER/man1/thalweg.1, thalweg-VERB.1, FOLDER/bash, zsh, fish

One source: the programs' own help. A verb or an option that it has is in the page and completed. Exit code 0, or 1 with what went wrong.
"""
import re
import subprocess
import sys
from pathlib import Path

VERB = re.compile(r"^  ([a-z]+) +(\S.*)$")
OPTION = re.compile(r"^  ((?:-\w,)?--[a-z-]+)(?: ([A-Z]\S*.*?))?(?:  +(\S.*))?$")


def said_by(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def roff(text):
    """As it stands: a leading dot or apostrophe and a backslash mean nothing."""
    return "\n".join(re.sub(r"^([.'])", r"\\&\1", line.replace("\\", "\\e").replace("-", "\\-")) for line in text.splitlines())


def page(name, summary, text, version):
    return (f'.TH {name.upper()} 1 "" "Thalweg {version}" "User commands"\n.SH NAME\n{roff(name)} \\- {roff(summary)}\n'
            f".SH DESCRIPTION\n.nf\n{roff(text)}\n.fi\n.SH SEE ALSO\nthalweg(1)\n")


def options_of(help_text):
    """[(names, summary)] of a verb."""
    found = []
    for line in help_text.splitlines():
        option = OPTION.match(line)
        if option:
            found.append((option[1].split(","), option[3] or ""))
        elif found and not found[-1][1] and line.startswith(" " * 20):
            found[-1] = (found[-1][0], line.strip())
    return found


def bash(verbs):
    cases = "\n".join(f"    {verb}) words='{' '.join(name for names, _ in options for name in names)}' ;;" for verb, _, options in verbs)
    names = " ".join(verb for verb, _, _ in verbs)
    return f"""# bash completion of thalweg, made from its own help.
_thalweg() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} words=
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W 'help {names}' -- "$current")
        return
    fi
    case ${{COMP_WORDS[1]}} in
    help) words='{names}' ;;
{cases}
    esac
    case $current in
    -*) mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current") ;;
    *) if [ "${{COMP_WORDS[1]}}" = help ]; then mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current"); else mapfile -t COMPREPLY < <(compgen -f -- "$current"); fi ;;
    esac
}}
complete -o filenames -F _thalweg thalweg
"""


def quoted(text):
    return text.replace("'", "'\\''")


def zsh(verbs):
    listed = "\n".join(f"    '{verb}:{quoted(summary)}'" for verb, summary, _ in verbs)
    brackets = str.maketrans({"[": "\\[", "]": "\\]", ":": "\\:"})
    cases = "\n".join(
        f"  {verb}) _arguments " +
        " ".join(f"'{name}[{quoted(summary.translate(brackets))}]'" for names, summary in options for name in names) + " '*:file:_files' ;;"
        for verb, _, options in verbs)
    return f"""#compdef thalweg
# zsh completion of thalweg, made from its own help.
local -a verbs=(
{listed}
)
if (( CURRENT == 2 )); then
  _describe verb verbs
  return
fi
shift words
(( CURRENT-- ))
case $words[1] in
  help) _describe verb verbs ;;
{cases}
esac
"""


def fish(verbs):
    lines = ["# fish completion of thalweg, made from its own help."]
    for verb, summary, options in verbs:
        lines.append(f"complete -c thalweg -n __fish_use_subcommand -f -a {verb} -d '{quoted(summary)}'")
        for names, about in options:
            words = " ".join(f"-s {name[1:]}" if not name.startswith("--") else f"-l {name[2:]}" for name in names)
            lines.append(f"complete -c thalweg -n '__fish_seen_subcommand_from {verb}' {words} -d '{quoted(about)}'")
    return "\n".join(lines) + "\n"


def main():
    thalweg, folder = sys.argv[1], Path(sys.argv[2])
    version = said_by(thalweg, "--version").split()[1]
    whole = said_by(thalweg, "--help")
    found = [(verb[1], verb[2]) for verb in map(VERB.match, whole.splitlines()) if verb]
    if not found:
        sys.exit(f"manual: {thalweg} --help names no verb")
    pages = folder / "man1"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "thalweg.1").write_text(page("thalweg", "record how a program runs, and compile that line straight", whole, version),
                                     encoding="utf-8")
    verbs = []
    for verb, summary in found:
        text = said_by(thalweg, verb, "--help")
        verbs.append((verb, summary, options_of(text)))
        (pages / f"thalweg-{verb}.1").write_text(page(f"thalweg-{verb}", summary, text, version), encoding="utf-8")
    for shell in (bash, zsh, fish):
        (folder / shell.__name__).write_text(shell(verbs), encoding="utf-8")


if __name__ == "__main__":
    try:
        main()
    except (OSError, subprocess.CalledProcessError, IndexError) as problem:
        sys.exit(f"manual: {problem}")
