# shellcheck shell=bash
# ./dev setup: Debian packages, and only those that are missing, so that a second run is quick.

declare -A PACKAGES=(
  [build]="g++ cmake ninja-build ccache mold pkg-config
    protobuf-compiler protobuf-compiler-grpc libprotobuf-dev libgrpc++-dev
    libhiredis-dev libpqxx-dev libsqlite3-dev prometheus-cpp-dev libspdlog-dev nlohmann-json3-dev
    libcli11-dev libjwt-dev libssl-dev libcurl4-openssl-dev libjemalloc-dev libabsl-dev
    libgtest-dev libgmock-dev libbenchmark-dev"
  [play]="fairy-stockfish"
  [test]="redis-server redis-tools postgresql python3 curl procps"
  [lint]="git clang-format shellcheck python3"
  [fuzz]="clang libclang-rt-14-dev"
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
    if [[ $group == lint ]] && ! have npm; then
      wanted+=(npm)
    fi
  done
  for package in "${wanted[@]}"; do
    package_installed "$package" || printf '%s\n' "$package"
  done | sort -u
}

cmd_setup() {
  local groups=("$@") group missing
  ((${#groups[@]})) || groups=(build play test lint)
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
