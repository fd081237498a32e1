# shellcheck shell=bash disable=SC2154,SC2034 # root, summaries
# orujo setup: the Debian packages that building and testing need.
# Requires Orujo's sources.
summaries[setup]='install missing Debian packages'

packages=(g++ cmake ninja-build pkg-config openmpi-bin libopenmpi-dev libboost-context-dev libgflags-dev
  libgoogle-glog-dev libnuma-dev libgtest-dev libbenchmark-dev zlib1g-dev liblz4-dev libzstd-dev libxxhash-dev libarchive-dev libexpat1-dev nettle-dev libpg-query-dev libsqlite3-dev libfmt-dev
  nlohmann-json3-dev robin-map-dev iproute2 nftables procps python3)
# Packages for the presets asan, tsan and fuzz. clang compiles in half the time of g++, and gives a second set of
# warnings. llvm names the functions in reports.
sanitizer_packages=(clang libclang-rt-dev llvm)
# Packages for the Python package, for Debian packages (cpack), and for `plot --png` and `docs`. Only `setup` itself
# installs them.
extra_packages=(python3-dev python3-venv dpkg-dev file librsvg2-bin mkdocs)

# Packages for the preset mpich.
mpich_packages=(mpich libmpich-dev)

# indented WORD...: as lines of at most 100 characters.
indented() { fold -s -w 96 <<<"$*" | sed "s/^/  /; s/ *$//"; }

setup_usage() {
  cat <<END
Usage: bin/orujo setup

Installs missing Debian packages, as root or with sudo:
$(indented "${packages[@]}")
for the presets asan, tsan and fuzz:
$(indented "${sanitizer_packages[@]}")
for the preset mpich (installed when it is built):
$(indented "${mpich_packages[@]}")
and for the Python package, Debian packages, plot --png and docs:
$(indented "${extra_packages[@]}")
ORUJO_NO_SETUP=1 keeps other commands from installing packages.
END
}

has_apt() { command -v dpkg-query >/dev/null && command -v apt-get >/dev/null; }

# missing_packages PACKAGE...
missing_packages() {
  local status name package
  local -A present=()
  while read -r status name; do
    [[ $status != installed ]] || present[$name]=1
  done < <(dpkg-query -W -f '${db:Status-Status} ${Package}\n' "$@" 2>/dev/null)
  for package; do
    [[ ${present[$package]:-} ]] || echo "$package"
  done
}

setup_command() {
  case ${1:-} in
    '') ;;
    --help | -h) setup_usage; return 0 ;;
    *) fail 2 "setup has no option '$1'" ;;
  esac
  has_apt || fail 71 "setup requires Debian's apt-get; install equivalents of: ${packages[*]}"
  local missing
  mapfile -t missing < <(missing_packages "${packages[@]}" "${sanitizer_packages[@]}" "${extra_packages[@]}")
  if ((${#missing[@]} == 0)); then
    say "all packages are installed"
  else
    install_packages "${missing[@]}"
  fi
}

# set_up_if_needed PRESET...: the first step of build, run and test. It prints nothing if there is nothing to do.
set_up_if_needed() {
  if [[ ${ORUJO_NO_SETUP:-} ]] || ! has_apt; then return 0; fi
  local missing wanted=("${packages[@]}")
  [[ " $* " != *\ @([at]san|fuzz)\ * ]] || wanted+=("${sanitizer_packages[@]}")
  [[ " $* " != *' mpich '* ]] || wanted+=("${mpich_packages[@]}")
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  ((${#missing[@]} == 0)) || install_packages "${missing[@]}"
}

install_packages() {
  local log=$root/build/setup.log as_root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || fail 71 "packages are missing, and their installation requires root or sudo;" \
      "as root: apt-get update && apt-get install --no-install-recommends $*"
    as_root=(sudo)
  fi
  local apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=600)
  say "installing $*"
  mkdir -p "$root/build"
  "${apt[@]}" update >"$log" 2>&1 </dev/null || say "apt-get update failed (see $log); trying to install anyway"
  if ! "${apt[@]}" install -y --no-install-recommends "$@" >>"$log" 2>&1 </dev/null; then
    tail -n 20 "$log" >&2
    fail 71 "installing failed; its whole output is in $log"
  fi
}
