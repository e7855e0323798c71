#!/usr/bin/env bash
# The functions of rows.sh and the rows of docs/SECURITY.md ($1) are the same.
set -euo pipefail
diff <(grep -oE '^[a-z]+(-[a-z]+)+\(\)' "$(dirname "$0")/rows.sh" | tr -d '()' | sort) \
    <(grep -oE '^\| `[a-z-]+` \|' "$1" | tr -d '|` ' | sort)
