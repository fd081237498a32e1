#!/usr/bin/env bash
# Runs codec_lab as a user does.
source "$(dirname "${BASH_SOURCE[0]}")/application_cases.sh" codec_lab
several=

run 1 1 --generate=kronecker:10 --symmetrize --log2_ids=12 --round_ms=0 --stats_json="$work/stats"
[[ $status == 0 ]] && prints '^all frontiers from [0-9]+: [0-9,]+ integers' && prints '^uniform, 0.25: ' && prints '^zipf, scale 10: '
report $? 'it measures frontiers, and lists of both kinds'
for codec in none bp128 varint bitmap lz4 pfor stream_varint; do
  check "... with $codec, also in --stats_json" grep -q "\"codec\": \"$codec\"" "$work/stats"
done
run 1 2 --generate=kronecker:10 --symmetrize --log2_ids=0 --round_ms=0 --codec=lz4 --codec_min_bytes=0 --simd=scalar
[[ $status == 0 ]] && prints ', lz4 chosen$' && ! prints 'uniform'
report $? '... by the flags that choose codecs, portably, without made lists'

run 1 1 --generate=kronecker:4 --print_settings
[[ $(cat "$work/out" "$work/err") == *'--codec=auto'*'--codec_min_bytes='* ]]
report $? 'the choice of codecs is among the settings'
refuses 2 '--codec=zip: must be auto, bp128, pfor, varint, stream_varint, bitmap, lz4 or none' --generate=kronecker:4 --codec=zip
refuses 2 '--log2_ids=31: must be from 0 to 30' --generate=kronecker:4 --log2_ids=31
timeout 60 "$root/bin/orujo" run -n 2 -c 1 codec_lab --generate=kronecker:4 >"$work/out" 2>"$work/err" </dev/null
status=$?
[[ $status == 2 ]] && says 'measures one core'
report $? 'more than one locale is refused'
end_of_cases
