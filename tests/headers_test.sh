#!/usr/bin/env bash
# Every header of the libraries compiles by itself.  headers_test.sh CXX
# One that has a source file is the first that this includes, which the build compiles; the others are compiled here.
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=$1
source "$root/tests/cases.sh"
cd "$root" || exit 1

first_include() { grep -m 1 '^#include' "$1"; }

alone=() with_source=0
while IFS= read -r header; do
  source=${header%.hpp}.cpp
  if [[ -e $source ]]; then
    with_source=$((with_source + 1))
    check "$source includes its own header first" test "$(first_include "$source")" = "#include \"$header\""
  else
    alone+=("$header")
  fi
done < <(find system framework -name '*.hpp' ! -path '*/include/*' | sort)
# The public ones only put together what is below: all at a time.
find system/include framework/include -name '*.hpp' | sort | sed 's|.*/include/\(.*\)|#include <\1>|' >"$work/public.hpp"
alone+=("$work/public.hpp")

# As many at a time as there are CPUs, those refused listed.
printf '%s\n' "${alone[@]}" | xargs -P "$(nproc)" -I HEADER sh -c '"$1" -std=c++20 -fsyntax-only -I. -Isystem/include -Iframework/include $(mpicxx --showme:compile) -x c++ -include HEADER /dev/null || echo HEADER >>"$2"' \
  - "$compiler" "$work/refused" 2>"$work/err"
touch "$work/refused"
for header in "${alone[@]}"; do
  check "$header compiles by itself" eval '! grep -qxF "$header" "$work/refused"'
done
check 'there are headers of both kinds' eval '((${#alone[@]} > 0 && with_source > 0))'
end_of_cases
