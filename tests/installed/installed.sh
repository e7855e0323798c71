#!/usr/bin/env bash
# What is installed needs no checkout: the weather station of examples/quickstart is built, recorded, optimised and compared by a user who isn't
# root, in a copy of this system in which the checkout is not there; and what a package put there is gone when it is removed.
#   installed.sh prefix|packages BUILD
# Exit code 77: this machine doesn't allow it (root, mount namespaces and overlayfs are needed).
set -euo pipefail
way=$1
build=$(realpath "$2")
root=$(realpath "$(dirname "$0")/../..")
nobody=65534

die() { printf 'FAILED: %s\n' "$*"; exit 1; }
skip() { echo "SKIPPED: installed.$way: $*"; exit 77; }

if [ "${3-}" != inside ]; then
    [ "$(id -u)" = 0 ] || skip "only root can make a copy of the system"
    unshare -m true 2>/dev/null || skip "there are no mount namespaces here"
    exec unshare -m --propagation private "$0" "$way" "$build" inside
fi

# A copy of the system that is written to in memory. It goes with this process.
scratch=$(mktemp -d)
trap 'umount -R "$scratch" && rmdir "$scratch"' EXIT
mount -t tmpfs -o mode=755 none "$scratch"
mkdir "$scratch"/{upper,work,system}
system=$scratch/system
mount -t overlay -o "lowerdir=/,upperdir=$scratch/upper,workdir=$scratch/work" none "$system" 2>/dev/null ||
    skip "overlayfs can't be mounted here"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
# The checkout and the build are not there: what lies over them is empty, as is all of /tmp.
mount -t tmpfs -o mode=1777 none "$system/tmp"
for hidden in "$root" "$build"; do
    if [ -d "$system$hidden" ]; then mount -t tmpfs none "$system$hidden"; fi
done
mkdir "$system/tmp/station"
cp "$root"/examples/quickstart/*.{cc,h} "$root/examples/quickstart/Makefile" "$system/tmp/station"
chown -R $nobody:$nobody "$system/tmp/station"

as_nobody() { # SCRIPT, with the PATH of `where`
    chroot "$system" setpriv --reuid $nobody --regid $nobody --clear-groups --no-new-privs \
        env -i "PATH=$where:/usr/bin:/bin" HOME=/tmp/station sh -euc "cd /tmp/station; $1" >"$scratch/said" 2>&1 ||
        die "$1: $(tail -n 20 "$scratch/said")"
}
ten_minutes() {
    as_nobody "! [ -e '$root/README.md' ]"
    as_nobody "make CXX=thalweg-c++ CPPFLAGS= LDLIBS=-lthalweg"
    as_nobody "thalweg doctor ./station"
    as_nobody "thalweg record -o day.profile -- ./station 200000"
    as_nobody "thalweg plan day.profile -o station.plan"
    as_nobody "thalweg explain station.plan 1"
    as_nobody "thalweg optimize ./station --profile day.profile --plan station.plan -o station.opt"
    grep -q '2 of [0-9]* decisions applied' "$scratch/said" || die "nothing was applied: $(cat "$scratch/said")"
    as_nobody "thalweg compare ./station ./station.opt --runs 1 -- 200000"
    as_nobody "thalweg report day.profile --plan station.plan --html station.html"
    as_nobody "thalweg auto ./station --runs 1 --keep-all -- 200000"
    grep -q '^verdict *outputs equal' "$scratch/said" || die "auto: $(cat "$scratch/said")"
}
# The same for every way: a page for each verb, and completion that knows the verbs.
manners() { # PREFIX
    for verb in auto record optimize; do [ -s "$system$1/share/man/man1/thalweg-$verb.1" ] || [ -s "$system$1/share/man/man1/thalweg-$verb.1.gz" ] || die "no page for $verb"; done
    chroot "$system" bash -c ". $1/share/bash-completion/completions/thalweg; COMP_WORDS=(thalweg opt) COMP_CWORD=1; _thalweg; [ \"\${COMPREPLY[*]}\" = optimize ]" ||
        die "bash completes nothing"
}

case $way in
prefix)
    cmake --install "$build" --prefix "$system/opt/thalweg" >"$scratch/said" 2>&1 || die "install: $(tail -n 5 "$scratch/said")"
    where=/opt/thalweg/bin
    ten_minutes
    manners /opt/thalweg
    ;;
packages)
    mkdir "$scratch/packages"
    (cd "$build" && cpack -G DEB -B "$scratch/packages") >"$scratch/said" 2>&1 || die "cpack: $(tail -n 5 "$scratch/said")"
    cp "$scratch"/packages/*.deb "$system/tmp"
    chroot "$system" sh -c 'dpkg -i /tmp/*.deb' >"$scratch/said" 2>&1 || die "dpkg -i: $(cat "$scratch/said")"
    where=/usr/bin
    ten_minutes
    manners /usr
    chroot "$system" dpkg -L thalweg libthalweg-dev | grep -i thalweg >"$scratch/files"
    grep -q /usr/bin/thalweg-cc "$scratch/files" || die "the packages do not own what they put there"
    chroot "$system" dpkg -r thalweg libthalweg-dev >"$scratch/said" 2>&1 || die "dpkg -r: $(cat "$scratch/said")"
    while read -r file; do [ ! -e "$system$file" ] || die "$file is still there"; done <"$scratch/files"
    ;;
esac
echo "passed: $way"
