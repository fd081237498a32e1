# shellcheck shell=bash
# Completes bin/orujo's commands, applications, their flags and the values of these. In ~/.bashrc, or in ~/.zshrc behind
# `autoload -U compinit bashcompinit && compinit && bashcompinit`:  source PATH/TO/bin/completion.sh

# Reads --helpfull, and prints the values of a flag whose text lists them behind a colon, the default among them:
#   --direction (string, default "auto")
#       direction of values along edges: pull (over all edges), push (...), or auto (...)
_orujo_values() {
  awk -v flag="$1" '
    $1 ~ /^--/ {found = $1 == flag && $2 == "(string,"; standard = $4; gsub(/[")]/, "", standard); next}
    found {
      gsub(/ \([^)]*\)/, ""); sub(/^[^:]*: /, ""); sub(/;.*/, ""); sub(/,? or /, ", ")
      if (index(", " $0 ",", ", " standard ",")) {gsub(/, /, "\n"); print}
      exit
    }' | grep -xE '[a-z0-9_]+'
}

_orujo() {
  local word=${COMP_WORDS[COMP_CWORD]} launcher root program words='' flag='' shown='' k
  launcher=$(command -v -- "${COMP_WORDS[0]}") && root=$(cd "$(dirname "$launcher")/.." && pwd) || return 0
  # Bash makes three words of --FLAG=VALUE, and zsh one.
  if [[ ${COMP_WORDS[COMP_CWORD - 1]} == '=' ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 2]}
  elif [[ $word == '=' ]]; then
    flag=${COMP_WORDS[COMP_CWORD - 1]} word=
  elif [[ $word == --*=* ]]; then
    flag=${word%%=*} shown=$flag= word=${word#*=}
  fi
  if ((COMP_CWORD == 1)) || [[ ${COMP_WORDS[1]} == help ]]; then
    words=$("$launcher" help | sed -n 's/^  \([a-z]*\) .*/\1/p')
  elif [[ ${COMP_WORDS[1]} == run ]]; then
    # The application is the first word after run that is neither an option nor the value of one.
    for ((k = 2; k < COMP_CWORD; ++k)); do
      case ${COMP_WORDS[k]} in
        =) ((++k)) ;;
        -n | -c | --locales | --cores | --preset | --hosts | --hostfile | --retries | --report) [[ ${COMP_WORDS[k + 1]} == '=' ]] || ((++k)) ;;
        -*) ;;
        *) break ;;
      esac
    done
    if ((k < COMP_CWORD)); then
      program=$root/libexec/orujo/applications/${COMP_WORDS[k]}
      [[ ! -d $root/build ]] || program=$root/build/release/applications/${COMP_WORDS[k]}
      if [[ $flag ]]; then
        words=$("$program" --helpfull 2>/dev/null | _orujo_values "$flag")
      else
        words=$("$program" --helpfull 2>/dev/null | grep -o -- '^ *--[a-z0-9_]*')
      fi
    elif [[ $word == -* ]]; then
      words='--locales= --cores= --single --preset= --hosts= --hostfile= --retries= --report= --dry-run --help'
    else
      words=$("$launcher" list --names)
    fi
  else
    case ${COMP_WORDS[1]} in
      install) if [[ $word == -* ]]; then words='--all --preset= --help'; elif ((COMP_CWORD > 2)); then words=$("$launcher" list --names); fi ;;
      list) words='--json --names --help' ;;
      doctor) words='--hosts= --help' ;;
      bench) words='papers scaling choices ldbc --help' ;;
    esac
  fi
  mapfile -t COMPREPLY < <(compgen -P "$shown" -W "$words" -- "$word")
}
complete -o default -F _orujo orujo
