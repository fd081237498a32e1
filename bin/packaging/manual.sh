#!/usr/bin/env bash
# Writes a manual page from a program's help.
#   manual.sh NAME PROGRAM VERSION FILE     NAME is orujo, of the launcher, or orujo-APP
set -euo pipefail
name=$1 program=$2 version=$3 file=$4

# Formats help as roff. In an application's --helpfull a flag is indented by two, and its meaning below it by six. The
# lines of the launcher's help stay as they are.
page() {
  awk -v name="$name" -v version="$version" '
    function plain(text) {
      gsub(/\\/, "\\e", text)
      gsub(/-/, "\\-", text)
      sub(/^[.\x27]/, "\\\\\\&&", text)
      return text
    }
    function without(text, start) { sub(start, "", text); return text }
    NR == 1 {
      about = without(without($0, "^[^ ]*: "), "[.]$")
      printf ".TH %s 1 \"\" \"orujo %s\"\n.SH NAME\n%s \\- %s\n.SH DESCRIPTION\n", toupper(name), version, plain(name), plain(about)
      next
    }
    /^Flags of .*:$/ || /^orujo [a-z]+$/ { if (literal) print ".fi"; literal = 0; printf ".SH %s\n", toupper(plain(without($0, ":$"))); next }
    name != "orujo" && /^  --/ { printf ".TP\n\\fB%s\\fR\n", plain(without($0, "^ *")); next }
    name != "orujo" && /^      / { print plain(without($0, "^ *")); next }
    /^ / || name == "orujo" { if (!literal) print ".nf"; literal = 1; print plain($0); next }
    { if (literal) print ".fi"; literal = 0 }
    /^$/ { print ".PP"; next }
    { print plain($0) }
    END { if (literal) print ".fi" }'
}

help_of_launcher() {
  local command file
  echo 'orujo: runs programs of a partitioned global address space, alone or on many machines.'
  "$program" help
  for command in $("$program" help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
    file=${program%/*}/commands/$command.sh
    if [[ -e $file ]] && ! grep -q "^# Requires Orujo's sources" "$file"; then
      printf '\norujo %s\n\n' "$command"
      "$program" help "$command"
    fi
  done
}

if [[ $name == orujo ]]; then help_of_launcher; else COLUMNS=100000 "$program" --helpfull; fi | sed 's#bin/orujo#orujo#g' | page >"$file.partial"
mv "$file.partial" "$file"
