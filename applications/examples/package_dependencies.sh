#!/usr/bin/env bash
# Prints the dependencies among Debian packages as an edge list with names, PACKAGE NEEDED. It covers the packages
# installed here, or with --available all that apt lists. Of alternatives (a | b) the first that exists counts. A name
# that other packages provide stands for the first of them.   package_dependencies.sh [--available] >packages.txt
set -euo pipefail

case ${1:-} in
  '') list() { dpkg-query -W -f 'Package: ${Package}\nPre-Depends: ${Pre-Depends}\nDepends: ${Depends}\nProvides: ${Provides}\n\n'; } ;;
  --available) list() { apt-cache dumpavail; } ;;
  *) echo "usage: package_dependencies.sh [--available]" >&2; exit 2 ;;
esac

list | awk '
  function clean(name) { sub(/[ (:].*/, "", name); return name }  # without version and architecture
  /^Package: / { package = $2; known[package] = 1 }
  /^(Pre-)?Depends: / { sub(/^[^ ]* /, ""); needs[package] = needs[package] ", " $0 }
  /^Provides: / {
    sub(/^[^ ]* /, "")
    count = split($0, names, /, */)
    for (k = 1; k <= count; ++k) if (!((name = clean(names[k])) in provider)) provider[name] = package
  }
  END {
    for (package in needs) {
      count = split(needs[package], groups, /, */)
      for (k = 1; k <= count; ++k) {
        choices = split(groups[k], names, / *\| */)
        for (c = 1; c <= choices; ++c) {
          name = clean(names[c])
          if (!(name in known) && name in provider) name = provider[name]
          if (name in known) { if (name != package) print package, name; break }
        }
      }
    }
  }' | LC_ALL=C sort -u
