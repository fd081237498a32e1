# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo docs: the site of the documentation, by mkdocs, in build/docs/site.
# Requires Orujo's sources.
summaries[docs]='build the site of the documentation'

docs_usage() {
  cat <<'END'
Usage: bin/orujo docs [FOLDER]

Builds the site of the documentation in FOLDER (default build/docs/site), from docs/, README.md, the
public headers, and the flags of the applications that are built. Requires mkdocs. The pages do not
use the network.
END
}

docs_command() {
  case ${1:-} in
    --help | -h) docs_usage; return 0 ;;
    -*) fail 2 "docs has no option '$1'; bin/orujo docs --help" ;;
  esac
  local tool pages=$root/build/docs/pages site
  for tool in python3 mkdocs; do
    command -v "$tool" >/dev/null || fail 71 "docs requires $tool; bin/orujo setup installs it"
  done
  site=$(realpath -m -- "${1:-$root/build/docs/site}")
  mkdir -p "$root/build/docs"
  export PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$root/bin/site
  python3 "$root/bin/site/pages.py" "$pages" "$root/build/release/applications"
  printf 'INHERIT: %s\ndocs_dir: %s\nsite_dir: %s\n' "$root/docs/mkdocs.yml" "$pages" "$site" >"$root/build/docs/mkdocs.yml"
  mkdocs build --strict --quiet --clean --config-file "$root/build/docs/mkdocs.yml"
  say "the site is in $site: open index.html"
}
