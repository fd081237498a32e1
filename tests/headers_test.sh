#!/usr/bin/env bash
# Namespace orujo has the names that the public headers list, and no others. A header that has a source file is the first
# that this includes, so the build compiles it by itself. With --each the others are compiled by themselves here, which
# takes minutes.  headers_test.sh CXX [--each]
set -uo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
compiler=$1 each=${2-}
source "$root/tests/cases.sh"
cd "$root" || exit 1

first_include() { grep -m 1 '^#include' "$1"; }

alone=() with_source=0
while IFS= read -r header; do
  source=${header%.hpp}.cpp
  if [[ -e $source ]]; then
    with_source=$((with_source + 1))
    check "$source includes its own header first" test "$(first_include "$source")" = "#include \"$header\""
  elif [[ $each ]]; then
    alone+=("$header")
  fi
done < <(find system framework -name '*.hpp' ! -path '*/include/*' | sort)
read -ra mpi_flags < <(mpicxx --showme:compile)
flags=(-std=c++20 -I. -Isystem/include -Iframework/include "${mpi_flags[@]}")
syntax=("$compiler" "${flags[@]}" -fsyntax-only -x c++)
# precompiled NAME: $work/NAME.hpp compiles, and what includes it first takes the result.
precompiled() { check "what $1.hpp includes compiles" "$compiler" "${flags[@]}" -w -x c++-header "$work/$1.hpp" -o "$work/$1.hpp.gch"; }
# The public headers only put together what is below.
find system/include framework/include -name '*.hpp' | sort | sed 's|.*/include/\(.*\)|#include <\1>|' >"$work/public.hpp"
precompiled public

# As many at a time as there are CPUs, those refused listed. Others' headers, which the build precompiles for every
# source, are half of the time.
cp system/base/precompiled.hpp "$work/begin.hpp"
((${#alone[@]} == 0)) || precompiled begin
printf '%s\n' "${alone[@]}" | xargs -r -P "$(nproc)" -I HEADER sh -c '"$@" -include HEADER /dev/null || echo HEADER >>"$0"' \
  "$work/refused" "${syntax[@]}" -include "$work/begin.hpp" 2>"$work/err"
touch "$work/refused"
for header in "${alone[@]}"; do
  check "$header compiles by itself" eval '! grep -qxF "$header" "$work/refused"'
done
check 'there are headers of both kinds' eval '((with_source > 0)) && { [[ ! $each ]] || ((${#alone[@]} > 0)); }'

# Names of using-declarations and aliases, and of comments that list the contents of namespace orujo.
listed_names() {
  find system/include framework/include -name '*.hpp' -exec cat {} + | sed -nE '
    s|^//   ([a-z0-9_]+(, [a-z0-9_]+)*)  .*|\1|p
    /^using|^ +[a-z]+::/ { s|//.*||; s|using ||g; s|[a-z_]+::||g; s|=.*||; s|;||g; p; }' | tr -s ', ' '\n\n' | sort -u
}
# Names that headers declare in namespaces. Such declarations begin lines there, and members do not.
declared_names() {
  find system framework -name '*.hpp' -exec cat {} + | sed -nE '
    s/^(class|struct|enum class|enum|concept) (alignas\([0-9]+\) )?([a-z]\w*).*/\3/p
    s/^using (\w+) =.*/\1/p
    s/^[][a-z][][a-z_:<>*&, 0-9]*[ *&>]([a-z]\w*)(\(| = |\{).*/\1/p' | sort -u
}
# Namespaces of folders are below orujo::internal; what users call of two of them has a name in orujo, too.
layers() { find system framework framework/tables -mindepth 1 -maxdepth 1 -type d ! -name include ! -name algorithms -printf '%f\n'; }
{ comm -13 <(listed_names) <(declared_names) | grep -vxE 'algorithms|operator|namespace|noexcept' && layers && echo detail; } |
  sort -u >"$work/others"
# A name that is there twice, once inline, is ambiguous.
{
  echo 'namespace orujo { inline namespace own {'
  sed 's/.*/struct & {};/' "$work/others"
  echo '} }'
  sed 's/.*/orujo::& is_only_ours_&;/' "$work/others"
} >"$work/own.cpp"
check 'there are names that the public headers do not list' eval '(($(wc -l <"$work/others") > 500))'
check 'none of them is in namespace orujo' "${syntax[@]}" -include "$work/public.hpp" "$work/own.cpp"
for name in $(listed_names); do printf 'using orujo::%s;\n' "$name"; done >"$work/listed.cpp"
check 'all that they list is there' "${syntax[@]}" -include "$work/public.hpp" "$work/listed.cpp"
# A program with names of its own, which the runtime has one level below.
cat >"$work/program.cpp" <<'END'
#include <orujo/orujo.hpp>
#include <orujo/vertex_programs.hpp>
using namespace orujo;
int ring(int n) { return n; }
struct divisor { int of; };
template <class T> int hash(T n) { return n; }
struct json {};
enum class scrambler { a };
template <class T> struct growing_array { T t; };
struct output_file {};
struct node { node* next; };
struct graph {};
namespace detail { inline int files(node* n) { return n->next == nullptr; } }
using printable = const char*;
int ticks() { return hash(ring(divisor{2}.of)) + growing_array<int>{3}.t; }
int main() {
  [[maybe_unused]] json a;
  [[maybe_unused]] output_file b;
  [[maybe_unused]] graph g;
  node last{nullptr};
  [[maybe_unused]] scrambler c = scrambler::a;
  [[maybe_unused]] printable d = "";
  return ticks() + cores() + detail::files(&last);
}
END
check "a program may have these names itself" "${syntax[@]}" "$work/program.cpp"
end_of_cases
