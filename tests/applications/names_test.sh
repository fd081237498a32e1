#!/usr/bin/env bash
# Vertices with names: every graph application on them, and files with them in and out.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh"

# Weighted, directed, with a component of its own; names of all lengths, one in two alphabets and one that looks like an id.
{
  echo '# who follows whom'
  for v in {1..200}; do
    echo "user_$((v * 7919 % 211)) user_$((v * v % 211)) $((v % 17 + 1))"
    echo "u$((v % 23)),user_$((v * 7919 % 211)) $((v % 5 + 1))"
  done
  printf '%s\t%s %s\n' 'Zoë→' 12 3 12 'Zoë→' 4
} >"$work/follows.wel"
vertices=$(sed 1d "$work/follows.wel" | tr ', ' '\t\t' | cut -f 1,2 | tr '\t' '\n' | LC_ALL=C sort -u | tee "$work/names" | wc -l)

# Compares with five digits of fractions, because sums of fractions depend on the order.
agree() {
  local rounded='{ printf $1; for (k = 2; k <= NF; ++k) printf $k ~ /[.e]/ ? " %.5g" : " %s", $k; print "" }'
  cmp -s <(awk "$rounded" "$1") <(awk "$rounded" "$2")
}

given=("--graph=$work/follows.wel" --names)
for flags in 'pagerank --precision=double' 'personalized_pagerank --source=u7' hits 'sssp --source=u7' 'bfs --source=u7' connected_components label_propagation \
  'k_core --symmetrize' 'eccentricity --source=u7' closeness 'maximal_independent_set --symmetrize' random_walks 'coloring --symmetrize' 'triangle_counting --symmetrize' 'betweenness_centrality --source=u7'; do
  # shellcheck disable=SC2206
  application=($flags)
  run 1 1 "${given[@]}" --verify --output="$work/first"
  [[ $status == 0 ]] && prints '^verified' && cmp -s "$work/names" <(cut -d ' ' -f 1 "$work/first")
  report $? "$flags is verified, and has a line for each of $vertices names"
  for split in '1 2' '2 1' '2 2'; do
    # shellcheck disable=SC2086
    run $split "${given[@]}" --verify --layout=random --output="$work/again"
    [[ $status == 0 ]] && prints '^verified' && agree "$work/first" "$work/again"
    report $? "$flags gives the same on $split in another order"
  done
done
application=(bfs --source=u7)
run 2 1 "${given[@]}" --trials=1
check 'the source is called by its name' prints '^bfs: source u7, '
application=(connected_components)
run 2 2 "${given[@]}" --largest_component --verify --output="$work/largest"
[[ $status == 0 ]] && prints '^verified' && cmp -s <(grep -v -e '^12$' -e Zo "$work/names") <(cut -d ' ' -f 1 "$work/largest")
report $? 'the largest component keeps its names'

# In and out.
application=(graph_tool convert)
sed 1d "$work/follows.wel" | tr ',\t' '  ' | LC_ALL=C sort >"$work/edges"
cp "$work/follows.wel" "$work/previous"
same_edges() { cmp -s "$work/edges" <(LC_ALL=C sort "$1"); }
for step in '2 1 orj' '1 3 wel.gz' '2 1 graphml' '1 1 orj' '2 2 wel'; do
  read -r locales cores suffix <<<"$step"
  run "$locales" "$cores" --graph="$work/previous" --names --output="$work/written.$suffix"
  report "$status" "names are written to a .$suffix by $locales x $cores"
  ln -sf "$work/written.$suffix" "$work/previous"
done
check 'and the last has what the first had' same_edges "$work/written.wel"
run 1 2 --graph="$work/written.orj" --names --output="$work/again.wel"
check 'an .orj file with names may be asked for them' same_edges "$work/again.wel"
run 2 1 --graph="$work/written.orj" --layout=degree --largest_component --output="$work/largest.orj"
run 1 2 --graph="$work/largest.orj" --output="$work/largest.wel"
cmp -s <(grep -v Zo "$work/edges") <(LC_ALL=C sort "$work/largest.wel")
report $? 'the largest component of an .orj file, in another order, keeps its names'
for split in '1 1' '3 1'; do
  # shellcheck disable=SC2086
  run $split "${given[@]}" --renumber --output="$work/numbers.mtx"
  awk 'NR == FNR { number[$1] = NR; next } { print number[$1], number[$2], $3 }' "$work/names" "$work/edges" | sort >"$work/expected"
  [[ $status == 0 ]] && cmp -s "$work/expected" <(sed 1,2d "$work/numbers.mtx" | sort)
  report $? "--renumber numbers the names in ascending order on $split"
done
application=(graph_tool)
run 2 1 check --graph="$work/written.orj"
report "$status" 'graph_tool check finds an .orj file with names whole'
for flags in 'pagerank --precision=double' 'sssp --source=u7'; do
  # shellcheck disable=SC2206
  application=($flags)
  run 1 2 "${given[@]}" --output="$work/first"
  run 2 1 --graph="$work/written.orj" --verify --output="$work/again"
  [[ $status == 0 ]] && prints '^verified' && agree "$work/first" "$work/again"
  report $? "$flags gives the same with the .orj file"
done

# The first row of a table of names is a header if no other row has one of its names.
printf '# text\nSender,Recipient\nann,bob\nbob,cyd\n' >"$work/header.csv"
gzip -c "$work/header.csv" >"$work/header.csv.gz"
{ for v in {1..3000}; do echo "from_$v,to_$v"; done; echo 'last,from_1'; } >"$work/recurs.csv"
{ echo who,whom; cat "$work/recurs.csv"; } >"$work/long.csv"
split -d -n 3 "$work/long.csv" "$work/part."
for part in "$work"/part.?*; do gzip -c "$part"; done >"$work/long.csv.gz"
application=(graph_tool)
for split in '1 1' '1 3' '2 2' '4 1'; do
  for file in header.csv header.csv.gz; do
    # shellcheck disable=SC2086
    run $split check --graph="$work/$file" --names
    [[ $status == 0 ]] && prints '^  3 vertices, 2 edges' && says "^W.*$file: the first row is read as the names of the columns"
    report $? "the header of $file is none of the edges on $split, and it is said"
  done
  for file in long.csv long.csv.gz; do
    # shellcheck disable=SC2086
    run $split check --graph="$work/$file" --names
    [[ $status == 0 ]] && prints '^  6,001 vertices, 3,001 edges' && says 'the first row is read'
    report $? "so it is of $file"
  done
  # shellcheck disable=SC2086
  run $split check --graph="$work/recurs.csv" --names
  [[ $status == 0 ]] && prints '^  6,001 vertices, 3,001 edges' && ! says 'the first row'
  report $? "a first row of which the last has a name is an edge on $split"
done
run 2 1 check --graph="$work/header.csv" --names --noheader
check '--noheader takes it for an edge' prints '^  5 vertices, 3 edges'
run 2 1 check --graph="$work/header.csv" --names --header
check '--header takes it for a header without a word' eval "goes_in_silence && prints '^  3 vertices, 2 edges'"
refuses 65 'the first row is read as the names of the columns' check --graph="$work/header.csv" --names --strict
printf 'Sender,Recipient,Amount\nann,bob,3\n' >"$work/amounts.csv"
refuses 65 "amounts.csv:1:1: the columns are 'Sender', 'Recipient', 'Amount'; choose an edge's ends by --source_column" check --graph="$work/amounts.csv" --names

# Invalid uses.
application=(pagerank)
printf '1 2\n2 3\n' >"$work/ids.el"
printf '%%%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n' >"$work/ids.mtx"
printf 'a b\nb c\001\n' >"$work/control.el"
printf 'a b\n' >"$work/names.el"
refuses 2 '--names has no effect: it applies to files' --generate=path:4 --names
refuses 65 "control.el:2:3: 'c\\x01' holds a control character; expected a name without control characters" --graph="$work/control.el" --names
refuses 65 "names.el:1:1: 'a' is not a number; expected a decimal vertex id from 0 to 18446744073709551615, or a name with --names" --graph="$work/names.el"
refuses 65 'ids.mtx: vertices of matrix_market have no names; remove --names, or pass --format=edge_list if this is one' --graph="$work/ids.mtx" --names
printf 'a b\nb c\302\233' >"$work/c1.el"
printf 'a,"b c\302\237"\n' >"$work/c1.csv"
printf 'graph [ node [ id 1 label "\302\200" ] ]' >"$work/c1.gml"
refuses 65 "c1.el:2:3: 'c\xc2\x9b' holds a control character" --graph="$work/c1.el" --names
refuses 65 "c1.csv:1:3: 'b c\xc2\x9f' holds a control character" --graph="$work/c1.csv" --names --noheader
refuses 65 "c1.gml:1:9: '\xc2\x80' holds a control character" --graph="$work/c1.gml" --names
application=(graph_tool convert)
run 1 1 --graph="$work/ids.el" --output="$work/ids.orj"
application=(pagerank)
refuses 65 'ids.orj: vertices of orj have no names; remove --names' --graph="$work/ids.orj" --names
head -c 12 /dev/zero >"$work/ids.g500"
refuses 65 'vertices of graph500 have no names' --graph="$work/ids.g500" --names
printf 'a b 1\nb c -2\n' >"$work/negative.wel"
application=(sssp)
refuses 65 "negative.wel:2:5: '-2' is negative; expected a weight of at least 0" --graph="$work/negative.wel" --names
application=(graph_tool convert)
refuses 65 'has no names of vertices; pass --renumber' "${given[@]}" --output="$work/no.mtx"
printf 'b #a\na b\n' >"$work/target.el"
run 1 1 --graph="$work/target.el" --names --output="$work/target_back.el"
cmp -s <(sort "$work/target.el") <(sort "$work/target_back.el")
report $? 'a name that begins with # may be that of a target'
refuses 65 'the names of 1 source begin with #, % or //, as comments do' --graph="$work/target.el" --names --transpose --output="$work/no.el"
application=(bfs)
refuses 2 "--source=nobody: the graph has no vertex of that name" "${given[@]}" --source=nobody
refuses 2 "--source=bob: expected a vertex id, as this graph's vertices have no names" --graph="$work/ids.el" --source=bob
end_of_cases
