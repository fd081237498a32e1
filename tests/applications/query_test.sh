#!/usr/bin/env bash
# Runs query as a user does: tables and questions on any split, verified against SQLite, output, clear errors.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" query

{
  echo 'id,name,town,spent'
  for k in {1..400}; do echo "$k,\"Person $((k % 90)), \"\"$((k % 7))\"\"\",$( ((k % 9)) && echo "Town $((k % 13))"),$( ((k % 5)) && echo "$((k * k % 1000)).25")"; done
} >"$work/people.csv"
printf 'town\tcountry\tmayor\nTown 1\tFrance\t""\nTown 2\tSpain\t\n\nTown 40\tPeru\tAna\n' >"$work/towns.tsv"
people=--table=people=$work/people.csv
towns=--table=towns=$work/towns.tsv

for split in '1 1' '2 2'; do
  verifies_on "$split" "$people" 'SELECT * FROM people ORDER BY spent DESC NULLS LAST LIMIT 50 OFFSET 7'
  verifies_on "$split" "$people" "$towns" --chaos_seed=3 \
    'SELECT country, count(*), sum(spent), avg(p.id), min(name), count(DISTINCT p.town) FROM people p LEFT JOIN towns t ON p.town = t.town GROUP BY country'
done
verifies_on '1 2' "$people" 'SELECT name FROM people WHERE town IS NULL AND spent > 100 UNION SELECT town FROM people'
verifies_on '1 2' "$towns" 'SELECT count(*), count(mayor) FROM towns'
# TPC-H's queries 1, 3 and 6 on tables of its shape; the second and third also on several locales.
q1="SELECT l_returnflag, l_linestatus, sum(l_quantity) AS sum_qty, sum(l_extendedprice) AS sum_base_price,
  sum(l_extendedprice * (1 - l_discount)) AS sum_disc_price, sum(l_extendedprice * (1 - l_discount) * (1 + l_tax)) AS sum_charge,
  avg(l_quantity) AS avg_qty, avg(l_extendedprice) AS avg_price, avg(l_discount) AS avg_disc, count(*) AS count_order
  FROM lineitem WHERE l_shipdate <= '1998-09-02' GROUP BY l_returnflag, l_linestatus ORDER BY l_returnflag, l_linestatus"
q3="SELECT l_orderkey, sum(l_extendedprice * (1 - l_discount)) AS revenue, o_orderdate, o_shippriority
  FROM customer, orders, lineitem WHERE c_mktsegment = 'BUILDING' AND c_custkey = o_custkey AND l_orderkey = o_orderkey
  AND o_orderdate < '1995-03-15' AND l_shipdate > '1995-03-15'
  GROUP BY l_orderkey, o_orderdate, o_shippriority ORDER BY revenue DESC, o_orderdate LIMIT 10"
q6="SELECT sum(l_extendedprice * l_discount) AS revenue FROM lineitem WHERE l_shipdate >= '1994-01-01'
  AND l_shipdate < '1995-01-01' AND l_discount BETWEEN 0.05 AND 0.07 AND l_quantity < 24"
verifies_on '1 2' --generate=tpch:0.002 "$q1"
for split in '1 2' '2 2'; do verifies_on "$split" --generate=tpch:0.002 "$q3"; done
verifies_on '2 1' --generate=tpch:0.002 "$q6"

# SP2Bench's queries, over triples of its shape.
for query in 1 2 3a 3b 3c 5a 5b 9 12a; do
  split='1 2'
  [[ $query != [25]* ]] || split='2 2'
  verifies_on "$split" --generate=sp2bench:4000 "$(<"$root/applications/examples/sp2bench/q$query.sql")"
done
# Triples of a file, which the cores share.
{
  for k in {1..200}; do echo "_:p$((k % 40)) <http://a.org/knows> _:p$((k * k % 37)) ."; done
  for k in {0..39}; do printf '_:p%d <http://a.org/name> "Caf\\u00e9 \\"%d\\"\\n"@FR . # named\n\n' $k $((k % 7)); done
  echo '<http://a.org/x> <http://a.org/n> "5"^^<http://www.w3.org/2001/XMLSchema#integer>.'
} >"$work/people.nt"
gzip -k "$work/people.nt"
names='SELECT a.object, count(*), min(b.subject) FROM t a JOIN t b ON a.subject = b.object GROUP BY a.object'
for split in '1 3' '2 2'; do verifies_on "$split" "--table=t=$work/people.nt" "$names"; done
verifies_on '1 2' "--table=t=$work/people.nt.gz" "SELECT subject FROM t WHERE predicate LIKE '%/n>' OR object = '\"Café \"3\"
\"@fr'"
run 1 2 "--table=t=$work/people.nt" "SELECT count(*) FROM t WHERE object LIKE '\"Café \"_\"%\"@fr'" --output=- --output_format=csv
[[ $status == 0 && $(tail -1 "$work/out") == 40 ]]
report $? 'escapes and languages are one text'

# Tables as people have them: what --verify reads is read by a reader of its own.
mkdir "$work/sales"
printf 'town,spent\nNew York,10\nOslo,5\n' >"$work/sales/1.csv"
printf 'spent;town\r\n7;"New York"\r\n1;Oslo\r\n' >"$work/sales/2.csv"
printf 'name\rNew York\rNew Orleans\rParis' >"$work/cities.csv"
printf '"id","zip"\n"18446744073709551614","01234"\n"18446744073709551615",""\n"9223372036854775809","1234"\n' >"$work/codes.csv"
printf '"n","r"\n"1","0.5"\n"","inf"\n"3",""\n' >"$work/quoted.csv"
printf '1,5;2,5;a\n2,5;3,5;b\n' >"$work/commas.csv"
for split in '1 1' '2 2'; do
  verifies_on "$split" "--table=t=$work/sales" 'SELECT town, count(*), sum(spent) FROM t GROUP BY town'
  verifies_on "$split" "--table=t=$work/cities.csv" 'SELECT name, count(*) FROM t GROUP BY name'
  verifies_on "$split" "--table=t=$work/codes.csv" 'SELECT a.id, b.zip FROM t a JOIN t b ON a.id = b.id'
  verifies_on "$split" "--table=t=$work/quoted.csv" 'SELECT n, r, n + 1 FROM t WHERE n IS NULL OR n > 2'
  verifies_on "$split" "--table=t=$work/quoted.csv" 'SELECT sum(r), sum(r * (n - 2)), avg(-r) FROM (SELECT r, coalesce(n, 3) AS n FROM t UNION ALL SELECT -r, 1 FROM t) AS q'
  verifies_on "$split" "--table=t=$work/commas.csv" 'SELECT * FROM t'
done
# answers TEXT FLAG...: the answer as CSV has these lines, with / between them.
answers() {
  local expected=$1
  shift
  run 1 2 "$@" --output=- --output_format=csv
  [[ $status == 0 && $(grep -v '^tables: \|^query: ' "$work/out" | paste -sd /) == "$expected" ]]
  report $? "$* answers $expected"
}
# A table may be called by its file's name.
answers 'name/New Orleans/New York/Paris' "--table=$work/cities.csv" 'SELECT name FROM cities ORDER BY name'
answers 'n/2' "--input=$work/sales" "--table=c=$work/cities.csv" 'SELECT count(*) AS n FROM sales JOIN c ON town = name'
run 1 1 "--input=$work/cities.csv" 'SELECT count(*) FROM cities' --verify
check 'one row is in the singular' prints '^verified against SQLite: 1 equal row$'
answers 'town,n/New York,17/Oslo,6' "--table=t=$work/sales" 'SELECT town, sum(spent) AS n FROM t GROUP BY town ORDER BY town'
answers 'name/New Orleans/New York/Paris' "--table=t=$work/cities.csv" 'SELECT name FROM t ORDER BY name'
answers 'id,zip/18446744073709551614,01234/18446744073709551615,""/9223372036854775809,1234' "--table=t=$work/codes.csv" 'SELECT * FROM t ORDER BY id'
answers 'c1/"1,5"/"2,5"' "--table=t=$work/commas.csv" 'SELECT c1 FROM t ORDER BY 1'
answers 'b/1/' "--table=t=$work/quoted.csv" 'SELECT q.b FROM (SELECT n, r FROM t) AS q(b, a) WHERE a IS NOT NULL ORDER BY b NULLS LAST'
answers 'y/0.5/inf/' "--table=t=$work/quoted.csv" 'SELECT u.y FROM t AS u(x, y) ORDER BY y NULLS LAST'
run 1 1 "--table=t=$work/quoted.csv" 'SELECT r, -r AS s FROM t WHERE r > 1' --output=- --output_format=json
[[ $status == 0 ]] && grep -q '{"r": 1e999, "s": -1e999}' "$work/out"
report $? 'JSON has infinite numbers that are read as such'
run 1 2 "$people" 'SELECT id, spent AS id FROM people' --output="$work/twice.json" --output_format=json
[[ $status == 2 && ! -e $work/twice.json ]] && grep -q "two columns are named 'id', and JSON allows one" "$work/err"
report $? 'two columns of one name are not for JSON'
# A text that looks like a number orders as a text, which is said.
printf 'n\n9\n10\nNA\n' >"$work/mixed.csv"
run 1 2 "--table=t=$work/mixed.csv" 'SELECT n FROM t ORDER BY n'
[[ $status == 0 ]] && grep -q "mixed.csv:4:1: 'NA' is not a number, so the column n orders as texts do" "$work/err"
report $? 'a column of numbers and a text orders as texts do, with a warning'
# The content of a cell cannot steer the terminal.
printf 'a\n\x1b[31mred\x07\nx\xc2\x9b1m\n' >"$work/escape.csv"
run 1 1 "--table=t=$work/escape.csv" 'SELECT a FROM t ORDER BY a'
[[ $status == 0 ]] && grep -qF '\x1b[31mred\x07' "$work/out" && grep -qF 'x\xc2\x9b1m' "$work/out" && ! grep -qP '\x1b|\x07' "$work/out"
report $? 'control characters of cells are shown as bytes'
# Long chains, and what SQLite answers otherwise.
repeated() { local k text=$1; for ((k = 1; k < $3; ++k)); do text+="$2$1"; done; echo "$text"; }
verifies_on '1 2' "$people" "SELECT $(repeated id ' + ' 300) - $(repeated '(id - 1)' ' * ' 4) AS n FROM people WHERE $(repeated 'id <> 7' ' AND ' 300) AND ($(repeated 'id > 3' ' OR ' 300))"
verifies_on '2 1' "$people" "$(repeated 'SELECT town FROM people' ' UNION ALL ' 40) UNION $(repeated 'SELECT name FROM people' ' UNION ALL ' 40) ORDER BY town LIMIT 90"
printf 'j,r\n9223372036854775807,9007199254740992\n9223372036854775806,-1e308\n-9223372036854775807,1e308\n-9,0\n' >"$work/large.csv"
verifies_on '1 2' "--table=t=$work/large.csv" 'SELECT sum(j), sum(DISTINCT j) FROM t'
for text in 'SELECT sum(r) FROM t' 'SELECT ((-j) / coalesce(2, 1.5)) AS x FROM t' 'SELECT j::real AS x FROM t'; do
  run 1 2 "--table=t=$work/large.csv" "$text" --verify --stats_json="$work/stats.json"
  [[ $status == 0 ]] && prints '^verified|^not compared: ' && ! prints 'NOT VERIFIED'
  report $? "$text is verified or not compared"
done
grep -q '"verified": null' "$work/stats.json"
report $? 'statistics have no verdict of what is not compared'

# Results can be read again, if we or others have written them.
run 2 1 "$people" 'SELECT id, name, town, spent FROM people ORDER BY id' --output="$work/copy.csv"
[[ $status == 0 ]] && diff <(grep -o '^[0-9]*,"[^,]*, ""[0-9]""",' "$work/people.csv") <(grep -o '^[0-9]*,"[^,]*, ""[0-9]""",' "$work/copy.csv") &&
  [[ $(head -1 "$work/copy.csv") == id,name,town,spent ]]
report $? 'CSV has the rows in their order'
run 1 2 "--table=people=$work/copy.csv" 'SELECT count(*), sum(spent), count(town) FROM people' --output=- --output_format=csv
cp "$work/out" "$work/sums"
run 1 1 "$people" 'SELECT count(*), sum(spent), count(town) FROM people' --output=- --output_format=csv
[[ $status == 0 ]] && cmp -s "$work/out" "$work/sums" && [[ $(wc -l <"$work/out") == 2 ]]
report $? 'CSV that was written has what the first one has'
run 2 2 "$people" 'SELECT id, name, town, spent FROM people' --output="$work/all.json" --output_format=json
[[ $status == 0 ]] && python3 -c 'import json, sys; rows = json.load(open(sys.argv[1])); assert len(rows) == 400 and sorted(r["id"] for r in rows) == list(range(1, 401)) and rows[0].keys() == {"id", "name", "town", "spent"}' "$work/all.json"
report $? 'JSON is what others read'
run 1 2 "$people" 'EXPLAIN SELECT town, count(*) FROM people WHERE id > 100 GROUP BY town' --stats_json="$work/stats.json"
[[ $status == 0 ]] && prints '^ +300 .*filter' && prints '^ +400 .*scan people' && grep -q '"rows": 14' "$work/stats.json"
report $? 'EXPLAIN tells the rows of each step'
grep -A2 '"step": "filter by 1 condition"' "$work/stats.json" | grep -q '"rows": 300'
report $? '... and so do the statistics'

# A graph file of any format is a table of its edges.
printf '5 7 0.5\n7 9 2\n9 5 1.5\n5 5 1\n' >"$work/edges.wel"
{ echo '# of SNAP'; for k in {0..399}; do echo "$((k % 40)) $((k * k / 7 % 40))"; done; } >"$work/edges.el"
for format in mtx graphml orj sg csv; do
  "$programs/graph_tool" convert --graph="$work/edges.el" --remove_duplicates --output="$work/edges.$format" >/dev/null 2>"$work/err"
  report $? "there is a graph as $format"
done
gzip -k "$work/edges.mtx"
degrees='SELECT source, count(*) AS n, min(target) AS least FROM e GROUP BY source ORDER BY source'
"$programs/query" --table=e="$work/edges.csv" "$degrees" --output="$work/expected.csv" >/dev/null 2>"$work/err"
[[ $(wc -l <"$work/expected.csv") -gt 10 ]]
report $? 'degrees of a table are known'
for format in el mtx mtx.gz graphml orj sg; do
  split='1 2'
  [[ $format != mtx && $format != orj ]] || split='2 2'
  verifies_on "$split" "--table=e=$work/edges.$format" 'SELECT * FROM e'
  from=e
  [[ $format != el ]] || from='(SELECT DISTINCT source, target FROM e) AS e'
  [[ $format != mtx* ]] || from='(SELECT source - 1 AS source, target - 1 AS target FROM e) AS e'  # from 1 on
  run $split "--table=e=$work/edges.$format" "${degrees/FROM e/FROM $from}" --output="$work/found.csv"
  [[ $status == 0 ]] && cmp -s "$work/expected.csv" "$work/found.csv"
  report $? "the edges of a graph as $format are those of a table"
done
verifies_on '1 2' "--table=e=$work/edges.el" 'SELECT source, count(*), max(target) FROM e GROUP BY source'
verifies_on '2 1' "--table=e=$work/edges.wel" 'SELECT source + target AS ends, weight FROM e WHERE weight > 1'
answers 'n,sum/4,5.0' "--table=$work/edges.wel" 'SELECT count(*) AS n, sum(weight) AS sum FROM edges'
printf '%%%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 0.5\n3 3 4\n' >"$work/symmetric.mtx"
answers 'source,target,weight/1,2,0.5/2,1,0.5/3,3,4.0' "--table=t=$work/symmetric.mtx" 'SELECT * FROM t ORDER BY source'
printf 'graph [\n directed 1\n node [ id 1 label "ann" ]\n node [ id 2 label "bob" ]\n edge [ source 1 target 2 ]\n]\n' >"$work/ids.gml"
answers 'source,target/1,2' "--table=t=$work/ids.gml" 'SELECT * FROM t'
printf '<graphml><graph edgedefault="directed"><node id="ann"/><node id="bob"/><edge source="ann" target="bob"/></graph></graphml>\n' >"$work/names.graphml"
answers 'target,source/bob,ann' "--table=t=$work/names.graphml" "SELECT target, source FROM t WHERE source < 'b'"
run 2 2 "--table=t=$work/names.graphml" 'SELECT * FROM t' --verify
check 'a graph with names is not compared' prints '^not compared: .*names.graphml has names'
printf 'ann bob\nbob zo\303\253\n' >"$work/names.el"
answers 'source,target/ann,bob/bob,zoë' "--table=t=$work/names.el" 'SELECT * FROM t ORDER BY 1'
says "vertices are texts, as they are no ids: $work/names.el:1:1"
report $? '... and why its vertices are texts'
printf '1 2\n9223372036854775808 3\n' >"$work/large.el"
refuses 65 "$work/large.el: the vertex 9223372036854775808 is beyond the integers of a table" "--table=t=$work/large.el" 'SELECT * FROM t'
printf '<graphml><graph edgedefault="directed"><node id="ann"/><edge source="ann" target="bob"/></graph></graphml>\n' >"$work/wrong.graphml"
refuses 65 "$work/wrong.graphml" "--table=t=$work/wrong.graphml" 'SELECT * FROM t'
printf '%%%%MatrixMarket matrix coordinate pattern general\n3 3 1\n4 1\n' >"$work/wrong.mtx"
refuses 65 "$work/wrong.mtx:3" "--table=t=$work/wrong.mtx" 'SELECT * FROM t'
refuses 66 "cannot open '$work/none.mtx'" "--table=t=$work/none.mtx" 'SELECT * FROM t'
refuses 2 '--header=yes has an effect only with --table and a file of lines' "--table=t=$work/edges.mtx" --header=yes 'SELECT * FROM t'
refuses 2 "no column 'weight'; there is t with source, target" "--table=t=$work/edges.mtx" 'SELECT weight FROM t'
# An answer is a graph, whose results are tables.
run 1 2 "--table=e=$work/edges.mtx" 'SELECT target AS source, source AS target FROM e WHERE source <> target' --output="$work/reverse.csv"
"$programs/pagerank" --graph="$work/reverse.csv" --top=0 --output="$work/ranks.csv" >/dev/null 2>"$work/err"
report $? 'pagerank reads an answer'
verifies_on '1 2' "--table=e=$work/reverse.csv" "--table=$work/ranks.csv" \
  'SELECT source, target, a.rank + b.rank AS sum FROM e JOIN ranks AS a ON source = a.id JOIN ranks AS b ON target = b.id'

# Patterns are the joins that one would write.
simple="--table=edges=$work/edges.mtx"
# same PATTERN_QUERY QUERY: both have the same answer.
same() {
  run 2 2 "$simple" "$1" --output="$work/pattern.csv"
  local first=$status
  run 1 2 "$simple" "$2" --output="$work/joins.csv" --verify
  [[ $first == 0 && $status == 0 ]] && cmp -s "$work/pattern.csv" "$work/joins.csv" && [[ $(wc -l <"$work/joins.csv") -gt ${3:-2} ]] && prints '^verified'
  report $? "$1"
}
same "SELECT a, b, c FROM match('(a)-[edges]->(b)-[]->(c)') WHERE a < c ORDER BY a, b, c" \
  'SELECT x.source AS a, x.target AS b, y.target AS c FROM edges AS x JOIN edges AS y ON x.target = y.source WHERE x.source < y.target ORDER BY 1, 2, 3'
same "SELECT count(*) AS n, sum(a + b + c) AS s FROM match(' ( a )-[ x : edges ]->(b) -[]->( c)-[]->(a) ') WHERE a < b AND b <> c AND x.b >= 0" \
  'SELECT count(*) AS n, sum(x.source + x.target + y.target) AS s FROM edges AS x JOIN edges AS y ON x.target = y.source JOIN edges AS z ON y.target = z.source AND z.target = x.source WHERE x.source < x.target AND x.target <> y.target' 1
same "SELECT b, count(*) AS n FROM match('(a)<-[]-(b)-[]->(c), (b)<-[]-(d)') JOIN edges AS more ON more.source = a GROUP BY b ORDER BY b" \
  'SELECT x.source AS b, count(*) AS n FROM edges AS x JOIN edges AS y ON y.source = x.source JOIN edges AS z ON z.target = x.source JOIN edges AS more ON more.source = x.target GROUP BY x.source ORDER BY 1'
same "SELECT count(*) AS n FROM match('(a)-[]->(b)-[]->(c)-[]->(d)-[]->(e)-[]->(a)') WHERE a < b AND a < c" \
  'SELECT count(*) AS n FROM edges v JOIN edges w ON v.target = w.source JOIN edges x ON w.target = x.source JOIN edges y ON x.target = y.source JOIN edges z ON y.target = z.source AND z.target = v.source WHERE v.source < v.target AND v.source < w.target' 1
same "SELECT a, count(*) AS n FROM match('(a)-[]->()-[]->()') GROUP BY a ORDER BY a" \
  'SELECT x.source AS a, count(*) AS n FROM edges AS x JOIN edges AS y ON x.target = y.source GROUP BY x.source ORDER BY 1'
for wrong in '' '(a)-[]->' '(a)-[edges->(b)' '(a)-[]-(b)' '(a)-[]->(b) x' '(a)-[]->(b),' '(a b)-[]->(c)' '(a)-[:edges]->(b)' '(a)-[x:]->(b)' 'a->b'; do
  run 1 1 "$simple" "SELECT 1 FROM match('$wrong')"
  [[ $status == 2 ]] && says "query:1:21: the pattern has .* where .* is expected; an example is match"
  report $? "match('$wrong') is refused"
done
refuses 2 'query:1:21: match takes a pattern in single quotes' "$simple" 'SELECT 1 FROM match(5)'
refuses 2 "query:1:21: the pattern has its end where an edge, -[table]-> or <-[table]- is expected" "$simple" "SELECT 1 FROM match('(a)')"
refuses 2 "query:1:21: the pattern falls into two at 'c'; begin the path at a vertex that occurs before" "$simple" "SELECT 1 FROM match('(a)-[]->(b), (c)-[]->(d)')"
refuses 2 "query:1:21: an edge from 'a' to itself in a pattern" "$simple" "SELECT 1 FROM match('(a)-[]->(a)')"
refuses 2 "query:1:21: no table 'likes'" "$simple" "SELECT 1 FROM match('(a)-[likes]->(b)')"
refuses 2 "query:1:15: functions that make tables are not supported" "$simple" 'SELECT 1 FROM generate_series(1, 5)'
refuses 2 'query:1:15: match with AS name is not supported' "$simple" "SELECT 1 FROM match('(a)-[]->(b)') AS m"

refuses 2 "query:1:8: no column 'nme'; there is people with name, town, spent, id" "$people" 'SELECT nme FROM people WHERE id = 1'
refuses 2 "query:2:6: no table 'nowhere'" "$people" $'SELECT name\nFROM nowhere'
refuses 2 "query:1:8: the column 'town' is ambiguous" "$people" "$towns" 'SELECT town FROM people, towns'
refuses 2 "query:1:8: sum of a text; expected numbers; $work/people.csv:2:3: 'Person 1, \"1\"' is not a number" "$people" 'SELECT sum(name) FROM people'
refuses 2 'query:1:31: an aggregate in WHERE' "$people" 'SELECT name FROM people WHERE sum(spent) > 3'
refuses 2 "the column 'name' is neither in GROUP BY nor in an aggregate" "$people" 'SELECT name, count(*) FROM people'
refuses 2 'a text and a number with the operator >' "$people" 'SELECT name FROM people WHERE name > 3'
refuses 2 'syntax error at or near "people"' "$people" 'SELECT name FORM people'
refuses 2 'nested more than 50 deep' "$people" "SELECT $(printf -- '-(id + %.0s' {1..300})1$(printf ')%.0s' {1..300}) FROM people"
refuses 2 'no query; expected SELECT' "$people" 'DROP TABLE people'
refuses 2 '--table=people: expected NAME=FILE' --table=people 'SELECT 1'
refuses 65 'query:1:10: integers beyond 64 bits' "$people" 'SELECT id*9223372036854775807 FROM people'
refuses 66 "cannot open '$work/none.csv'" "--table=t=$work/none.csv" 'SELECT * FROM t'
# Hostile tables.
printf 'a,b\n1,2\n3\n' >"$work/ragged.csv"
printf 'a,b\n1,"two\nlines"\n' >"$work/line_end.csv"
printf 'a,b\n1,x\0y\n' >"$work/nul.csv"
printf 'a,b\n1,caf\351\n' >"$work/latin.csv"
{ printf 'a,b\n1,'; head -c 1000000 /dev/zero | tr '\0' x; echo; } >"$work/long.csv"
printf '<http://a.org/s> <http://a.org/p> "x" .\n_:s <http://a.org/p> "no end .\n' >"$work/bad.nt"
refuses 65 "$work/bad.nt:2:22: a text in quotes that does not end" "--table=t=$work/bad.nt" 'SELECT * FROM t'
printf '_:s <http://a.org/p> "caf\351" .\n' >"$work/latin.nt"
refuses 65 "$work/latin.nt:1:22: a text that is not UTF-8" "--table=t=$work/latin.nt" 'SELECT * FROM t'
refuses 2 "query:1:8: no column 'name'; there is t with subject, predicate, object" "--table=t=$work/people.nt" 'SELECT name FROM t'
refuses 2 '--generate=sp2bench:10: expected sp2bench:TRIPLES' --generate=sp2bench:10 'SELECT 1'
printf 'a,a,b\n1,2,3\n' >"$work/twice.csv"
refuses 2 "query:1:8: t has two columns 'a'; give all of its columns names: AS t(a, b, ...)" "--table=t=$work/twice.csv" 'SELECT t.a FROM t'
refuses 2 "query:1:8: t has two columns 'a'" "--table=t=$work/twice.csv" 'SELECT * FROM t'
printf 'town name\nRome x\n' >"$work/words.csv"
refuses 2 "$work/words.csv:1:5: blanks that may be between columns or within one; pass --separator=blanks, or --separator=none" "--table=t=$work/words.csv" 'SELECT * FROM t'
printf 'place,spent\nRome,1\n' >"$work/sales/3.csv"
refuses 65 "$work/sales/3.csv:1:1: no column 'town', which $work/sales/1.csv has" "--table=t=$work/sales" 'SELECT count(*) FROM t'
for cast in 'id::numeric(10,1):NUMERIC of a length' "'f'::bool:BOOLEAN" 'CAST(id AS INTEGER[]):arrays of INTEGER' 'CAST(id AS SMALLINT):SMALLINT'; do
  refuses 2 "no conversion to ${cast##*:}" "$people" "SELECT ${cast%:*} FROM people"
done
refuses 2 'a function with FILTER is not supported' "$people" 'SELECT count(*) FILTER (WHERE id > 1) FROM people'
refuses 2 'COLLATE is not supported' "$people" 'SELECT name COLLATE "C" FROM people'
for bad in 'ragged:3:2: a line of 1 column' 'line_end:2:3: a text in quotes that does not end' 'nul:2:4: a NUL byte' \
  'latin:2:3: a text that is not UTF-8' 'long:2:1: a line of more than 65536 bytes'; do
  refuses 65 "$work/${bad/:/.csv:}" "--table=t=$work/${bad%%:*}.csv" 'SELECT * FROM t'
done
refuses 71 'bytes' --memory_budget_bytes=30000000 "$people" 'SELECT a.id FROM people a, people b, people c'
end_of_cases
