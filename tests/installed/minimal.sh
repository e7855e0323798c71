#!/usr/bin/env bash
# The README's ten minutes, word for word, in a Debian of its essential packages: apt-get installs the two packages and what they say that they
# need, an ordinary user works with a copy of examples/quickstart, and what the packages brought is gone when they are removed.
#   minimal.sh BUILD
# Exit code 77: this machine doesn't allow it (root, mount namespaces and Debian's packages are needed).
set -euo pipefail
build=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")

die() { printf 'FAILED: %s\n' "$*"; exit 1; }
skip() { echo "SKIPPED: installed.minimal: $*"; exit 77; }
if [ "${2-}" != inside ]; then
    [ "$(id -u)" = 0 ] || skip "only root can make a system in a folder"
    unshare -m true 2>/dev/null || skip "there are no mount namespaces here"
    exec unshare -m --propagation private "$0" "$build" inside
fi

scratch=$(mktemp -d "$build/minimal.XXXXXX")
system=$scratch/system
trap 'umount -qR "$system/proc" "$system/dev" || true; rm -rf --one-file-system "$scratch"' EXIT
code=0
"$(dirname "$0")/minimal_debian" "$system" || code=$?
[ "$code" = 0 ] || exit "$code"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
cp /etc/resolv.conf /etc/hosts "$system/etc/"

as_root() {
    chroot "$system" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive sh -euc "$1" >"$scratch/said" 2>&1 </dev/null ||
        die "$1: $(tail -n 20 "$scratch/said")"
}
# What the README's reader has: make, and an account. Nothing of Thalweg's or LLVM's.
as_root "apt-get update && apt-get install -y --no-install-recommends make passwd && useradd --create-home reader"
! chroot "$system" sh -c "command -v clang-19 c++ g++ thalweg" || die "there is a compiler before the packages are"

mkdir "$scratch/packages"
(cd "$build" && cpack -G DEB -B "$scratch/packages") >"$scratch/said" 2>&1 || die "cpack: $(tail -n 5 "$scratch/said")"
cp "$scratch"/packages/*.deb "$system/srv"
as_root "apt-get install -y --no-install-recommends /srv/thalweg_*.deb /srv/libthalweg-dev_*.deb"

home=$system/home/reader
mkdir "$home/examples"
cp -r "$root/examples/quickstart" "$home/examples"
rm -rf "$home"/examples/quickstart/{.thalweg,*.o,station}
{
    echo "set -eux"
    python3 -B "$root/tests/docs/section.py" "$root/README.md" "Ten minutes to your own program"
} >"$home/minutes.sh"
grep -q 'thalweg optimize' "$home/minutes.sh" || die "the README's ten minutes are not found: $(cat "$home/minutes.sh")"
chroot "$system" sh -c "chown -R reader: ~reader"
chroot "$system" su - reader -c "bash minutes.sh" >"$scratch/said" 2>&1 </dev/null || die "the ten minutes: $(tail -n 30 "$scratch/said")"
grep -q '[1-9][0-9]* of [0-9]* decisions applied' "$scratch/said" || die "nothing was applied: $(tail -n 30 "$scratch/said")"
grep -qi 'outputs equal' "$scratch/said" || die "not compared: $(tail -n 30 "$scratch/said")"
[ -s "$home/examples/quickstart/station.html" ] || die "there is no report"

as_root "apt-get purge -y thalweg libthalweg-dev"
left=$(find "$system" -xdev -iname '*thalweg*' -not -path "$home/*" -not -path "$system/srv/*")
[ -z "$left" ] || die "still there: $left"
! chroot "$system" dpkg -l thalweg libthalweg-dev 2>/dev/null | grep '^[ri]' || die "dpkg still knows them"
echo "passed: the README's ten minutes in a minimal $(. "$system/etc/os-release" && echo "$PRETTY_NAME")"
