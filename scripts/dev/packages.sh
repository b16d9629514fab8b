# shellcheck shell=bash
# ./dev setup: Debian packages, and only those that are missing, so that a second run is quick.

# What a group holds is what its commands use and no more.
declare -A PACKAGES=(
  [libraries]="protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libgrpc++-dev
    libhiredis-dev libpqxx-dev libsqlite3-dev prometheus-cpp-dev libspdlog-dev nlohmann-json3-dev
    libcli11-dev zlib1g-dev libicu-dev libjwt-dev libssl-dev libcurl4-openssl-dev libjemalloc-dev
    libabsl-dev"
  [build]="g++ cmake ninja-build ccache mold pkg-config"
  [play]="fairy-stockfish"
  [servers]="redis-server redis-tools postgresql curl procps"
  [test]="libgtest-dev libgmock-dev python3"
  [bench]="python3"
  [fuzz]="clang libclang-rt-14-dev"
  [tools]="python3"
  [lint]="git clang clang-format shellcheck"
  [timing]="time python3"
  [fresh]="debootstrap"
)

# The groups that a command needs, in the order in which they are installed.
declare -A COMMAND_GROUPS=(
  [up]="libraries build play"
  [build]="libraries build"
  [load]="libraries build"
  [attack]="libraries build play"
  [stack]="libraries build play servers"
  [chaos]="libraries build play servers"
  [bench]="libraries build play servers bench"
  [test]="libraries build play servers test"
  [fuzz]="libraries build fuzz"
  [timing]="libraries build timing"
  [lint]="libraries test tools lint"
  [helm]="tools"
  [fresh]="fresh"
)

# The preset that a command configures; the others configure none.
declare -A COMMAND_PRESET=(
  [up]=release [build]=release [load]=release [stack]=release [chaos]=release [attack]=release
  [bench]=release [test]=dev [fuzz]=fuzz
)

package_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# missing_packages GROUP...
missing_packages() {
  local group package wanted=() list
  for group in "$@"; do
    read -r -d '' -a list <<<"${PACKAGES[$group]}" || true
    wanted+=("${list[@]}")
    # Node.js may come with its own npm instead of Debian's package.
    if [[ $group == tools ]] && ! have npm; then
      wanted+=(npm)
    fi
  done
  for package in "${wanted[@]}"; do
    package_installed "$package" || printf '%s\n' "$package"
  done | sort -u
}

cmd_setup() {
  local groups=("$@") group missing
  ((${#groups[@]})) || groups=(libraries build play servers test bench tools lint)
  for group in "${groups[@]}"; do
    [[ -n ${PACKAGES[$group]:-} ]] || fail "unknown package group: $group" 2
  done
  have dpkg-query || fail "packages come from apt: this needs Debian 12 or an Ubuntu like it"
  mapfile -t missing < <(missing_packages "${groups[@]}")
  if ((${#missing[@]} == 0)); then
    return 0
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=600)
  quietly "$STATE/log/apt-update.log" as_root "${apt[@]}" update
  quietly "$STATE/log/apt-install.log" \
    as_root "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# setup_for COMMAND: the packages of one command.
setup_for() {
  local groups
  read -r -a groups <<<"${COMMAND_GROUPS[$1]}"
  cmd_setup "${groups[@]}"
}

# cmd_prepare COMMAND [PRESET]: everything that COMMAND does before it compiles or runs something.
cmd_prepare() {
  local command=${1:-} preset
  [[ -n $command && -n ${COMMAND_GROUPS[$command]:-} ]] ||
    fail "prepare needs one of these commands: ${!COMMAND_GROUPS[*]}" 2
  preset=${2:-${COMMAND_PRESET[$command]:-}}
  setup_for "$command"
  case $command in
    lint) need_buf ;;
    helm) need_helm ;;
  esac
  [[ -z $preset ]] || configure "$preset"
}
