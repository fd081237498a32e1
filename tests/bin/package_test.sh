#!/usr/bin/env bash
# Packs the build as a .deb and uses it in a root that has, beside this system's, only what the package brings: no sources, no
# build. Skipped (status 4) without dpkg-shlibdeps, or where no namespace with an overlay can be made.
#   package_test.sh BUILD_FOLDER
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$1
source "$root/tests/cases.sh"
forget_jobs

skip() { echo "skipped: $*"; exit 4; }
command -v dpkg-shlibdeps >/dev/null || skip 'no dpkg-shlibdeps (Debian package dpkg-dev)'
mkdir -p "$work"/{package,new,upper,work,tmp}

# in_root COMMAND...: /usr is that of the package over this system's, and of the rest there is what programs need.
in_root() {
  status=0
  # shellcheck disable=SC2016
  timeout -k 5 120 unshare -m bash -euc '
    work=$1; shift
    mount -t tmpfs tmpfs "$work/new"
    cd "$work/new"
    mkdir usr etc proc dev tmp sys root var
    mount -t overlay overlay -o "lowerdir=$work/package/usr:/usr" usr
    for folder in etc proc dev sys; do mount --rbind "/$folder" "$folder"; done
    for link in bin sbin lib lib64; do ln -s "usr/$link" "$link"; done
    exec chroot . env -i PATH=/usr/bin:/usr/sbin HOME=/root LC_ALL=C.UTF-8 "$@"' in_root "$work" "$@" \
    >"$work/out" 2>"$work/err" </dev/null || status=$?
}
status_is() { ((status == $1)); }

(cd "$work/tmp" && cpack -G DEB --config "$build/CPackConfig.cmake" -B "$work/tmp") >"$work/out" 2>"$work/err"
report $? 'the build can be packed'
package=$(echo "$work"/tmp/orujo_*.deb)
dpkg-deb -I "$package" >"$work/out" 2>&1
check 'the package depends on the libraries' prints '^ Depends: .*libboost-context.*libc6 .*libopenmpi3'
check '... and on the launcher of MPI' prints '^ Depends: .*openmpi-bin'
dpkg-deb -x "$package" "$work/package"
report $? 'it can be unpacked'
for file in bin/orujo libexec/orujo/applications/pagerank libexec/orujo/local_ports.so include/orujo/orujo.hpp share/man/man1/orujo.1.gz \
  share/man/man1/orujo-bfs.1.gz share/doc/orujo/copyright share/doc/orujo/changelog.gz share/orujo/gdb_tasks.py \
  share/bash-completion/completions/orujo share/orujo/project/main.cpp; do
  check "it has $file" test -s "$work/package/usr/$file"
done
check 'nothing in it names the sources' eval '[[ -d $work/package/usr/include ]] && ! grep -rlF "$root/" "$work/package/usr/"{lib/cmake,lib/pkgconfig,bin,share,include,libexec/orujo/commands}'

in_root true
status_is 0 || skip "no root of its own: $(<"$work/err")"
in_root orujo version
check 'in a clean root it knows its version' prints '^orujo [0-9]+[.][0-9]+[.][0-9]+$'
in_root orujo list --names
check '... and lists every application of the sources' \
  eval 'diff "$work/out" <(basename -s .cpp -a "$root"/applications/*.cpp | LC_ALL=C sort) >"$work/err"'
in_root orujo list
check '... with what each does' prints '^  pagerank  +PageRank of every vertex of a graph$'
in_root orujo run -c 2 pagerank --generate=kronecker:10 --verify
check 'it runs an application' eval 'status_is 0 && prints "^verified "'
in_root orujo run -n 2 -c 1 bfs --generate=kronecker:10 --symmetrize --verify
check '... on two locales, too' eval 'status_is 0 && prints "^verified "'
in_root sh -c 'orujo new mine /tmp/mine && cmake -S /tmp/mine -B /tmp/mine/build && cmake --build /tmp/mine/build && ctest --test-dir /tmp/mine/build'
check 'it makes a project, which builds and passes its test' eval 'status_is 0 && prints "^100% tests passed"'
in_root orujo doctor
check 'doctor finds no problem' eval 'status_is 0 && prints "^ok +job of 2 locales"'
in_root orujo test
check 'what needs the sources says so' eval 'status_is 71 && says "^orujo: test requires Orujo.s sources"'
in_root orujo help
check 'its help calls it by its name' eval 'status_is 0 && prints "^Usage: orujo COMMAND" && ! prints bin/orujo'
if command -v man >/dev/null; then
  in_root man --warnings orujo-pagerank
  check 'the manual page of an application has its flags' eval '((status == 0)) && prints "^ +--damping " && [[ ! -s $work/err ]]'
  in_root man --warnings orujo
  check '... and that of the launcher its options' eval '((status == 0)) && prints "^ +-n LOCALES " && [[ ! -s $work/err ]]'
fi
end_of_cases
