# shellcheck shell=bash
# Completes bin/orujo's commands, applications and their flags. In ~/.bashrc, or in ~/.zshrc behind
# `autoload -U compinit bashcompinit && compinit && bashcompinit`:  source PATH/TO/bin/completion.sh

_orujo() {
  local word=${COMP_WORDS[COMP_CWORD]} launcher root programs words='' k
  launcher=$(command -v -- "${COMP_WORDS[0]}") && root=$(cd "$(dirname "$launcher")/.." && pwd) || return 0
  if ((COMP_CWORD == 1)); then
    words='setup build run tune test bench plot docs doctor list help version'
  elif [[ ${COMP_WORDS[1]} == run ]]; then
    # The application is the first word after run that is neither an option nor the value of one.
    for ((k = 2; k < COMP_CWORD; ++k)); do
      case ${COMP_WORDS[k]} in
        -n | -c | --locales | --cores | --preset | --hosts | --hostfile | --retries | --report) ((++k)) ;;
        -*) ;;
        *) break ;;
      esac
    done
    if ((k < COMP_CWORD)); then
      programs=$root/libexec/orujo/applications
      [[ ! -d $root/build ]] || programs=$root/build/release/applications
      words=$("$programs/${COMP_WORDS[k]}" --helpfull 2>/dev/null | grep -o -- '^ *--[a-z0-9_]*')
    elif [[ $word == -* ]]; then
      words='--locales= --cores= --single --preset= --hosts= --hostfile= --retries= --report= --dry-run --help'
    else
      words=$("$launcher" list | cut -d' ' -f1)
    fi
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _orujo orujo
