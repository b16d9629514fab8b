# shellcheck shell=bash
# ./dev fresh: every command's set-up on a bare Debian 12, where no package is there by chance.
# Each command starts from an overlay on a minimal root that holds only its own package groups.

FRESH=$STATE/fresh
FRESH_CLONE=/komadai # where the clone is inside
FRESH_SUITE=bookworm
FRESH_COMMANDS=(build load up stack chaos bench test tsan fuzz lint helm)

# The Debian archives that this machine uses, as lines of a sources.list.
fresh_sources() {
  # shellcheck disable=SC2016 # apt's own variables
  apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -E " $FRESH_SUITE(-updates|-security)? main\$" | sort -u
}

# What is mounted below a folder, the deepest first.
fresh_mounts() {
  awk -v dir="$1/" 'index($5 "/", dir) == 1 { print length($5), $5 }' /proc/self/mountinfo |
    sort -rn | cut -d' ' -f2-
}

fresh_unmount() {
  local mounted
  while read -r mounted; do
    umount "$mounted" || say "cannot unmount $mounted"
  done < <(fresh_mounts "$1")
}

# rm -rf, but never through a mount.
fresh_remove() {
  fresh_unmount "$1"
  [[ -z $(fresh_mounts "$1") ]] || fail "something is still mounted below $1"
  rm -rf --one-file-system "$1"
}

# Ends the processes whose root is one of ours: a server that a command left behind.
fresh_end_processes() {
  local process root
  for process in /proc/[0-9]*; do
    root=$(readlink "$process/root" 2>/dev/null) || continue
    [[ $root != "$FRESH/mnt" ]] || kill -KILL "${process#/proc/}" 2>/dev/null || true
  done
}

fresh_cleanup() {
  fresh_end_processes
  fresh_remove "$FRESH/mnt"
  fresh_remove "$FRESH/layers"
}

# The minimal root, kept between runs.
fresh_bare() {
  local site
  [[ ! -e $FRESH/bare/etc/debian_version ]] || return 0
  site=$(fresh_sources | awk -v suite="$FRESH_SUITE" '$3 == suite { print $2; exit }')
  [[ -n $site ]] || fail "apt on this machine has no Debian $FRESH_SUITE: run this on Debian 12"
  fresh_remove "$FRESH/bare.tmp"
  say "making a minimal Debian root"
  quietly "$STATE/log/debootstrap.log" debootstrap --variant=minbase \
    --include=git,bash,ca-certificates "$FRESH_SUITE" "$FRESH/bare.tmp" "$site"
  fresh_unmount "$FRESH/bare.tmp"
  mv "$FRESH/bare.tmp" "$FRESH/bare"
}

# fresh_mount LAYER...: an overlay of these layers, the last of them writable, on the bare root.
fresh_mount() {
  local lower=$FRESH/bare layer
  while (($# > 1)); do
    lower=$FRESH/layers/$1/upper:$lower
    shift
  done
  layer=$FRESH/layers/$1
  mkdir -p "$layer/upper" "$layer/work" "$FRESH/mnt" "$FRESH/archives/partial"
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=$layer/upper,workdir=$layer/work" \
    "$FRESH/mnt" &&
    mkdir -p "$FRESH/mnt/ccache" &&
    mount -t proc proc "$FRESH/mnt/proc" &&
    mount --bind /dev "$FRESH/mnt/dev" &&
    mount --bind "$FRESH/archives" "$FRESH/mnt/var/cache/apt/archives" &&
    mount --bind "$FRESH_CCACHE" "$FRESH/mnt/ccache"
}

# How this machine reaches the network, and the clone.
fresh_fill() {
  local root=$FRESH/mnt
  cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
  fresh_sources >"$root/etc/apt/sources.list"
  apt-config dump Acquire | grep -E '^Acquire::(http|https|Retries)' \
    >"$root/etc/apt/apt.conf.d/99outside" || true
  [[ ! -s /etc/ssl/certs/ca-certificates.crt ]] ||
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  # Servers that a package brings are not to start: the network is this machine's.
  printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
  chmod +x "$root/usr/sbin/policy-rc.d"
  git clone --quiet --no-hardlinks "$ROOT" "$root$FRESH_CLONE" &&
    git -C "$root$FRESH_CLONE" checkout --quiet --detach "$FRESH_COMMIT" || return 1
  [[ -z $FRESH_WITHOUT ]] ||
    sed -i -E "/^declare -A PACKAGES/,/^\\)/s/(^|[ \"])$FRESH_WITHOUT([ \"]|\$)/\\1\\2/" \
      "$root$FRESH_CLONE/scripts/dev/packages.sh"
}

# fresh_run COMMAND...: in the clone inside, with the outside's proxy and compiler cache settings.
fresh_run() {
  local environment=(PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
    LANG=C.UTF-8 CCACHE_DIR=/ccache "CCACHE_MAXSIZE=$FRESH_CCACHE_SIZE") name
  for name in http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY; do
    [[ -z ${!name:-} ]] || environment+=("$name=${!name}")
  done
  [[ -z $FRESH_NPM ]] || environment+=("NPM_CONFIG_REGISTRY=$FRESH_NPM")
  # shellcheck disable=SC2016 # the shell inside expands them
  env -i "${environment[@]}" chroot "$FRESH/mnt" \
    /bin/bash -c 'cd "$1" && shift && exec "$@"' fresh "$FRESH_CLONE" "$@"
}

# fresh_layers GROUP...: makes a layer of each group on top of those before it, once, and leaves
# the names of all of them in FRESH_LAYERS.
fresh_layers() {
  local group name=root
  FRESH_LAYERS=(root)
  if [[ ! -d $FRESH/layers/root ]]; then
    fresh_mount root && fresh_fill || return 1
    fresh_unmount "$FRESH/mnt"
  fi
  for group in "$@"; do
    name+=-$group
    FRESH_LAYERS+=("$name")
    [[ ! -d $FRESH/layers/$name ]] || continue
    fresh_mount "${FRESH_LAYERS[@]}" || return 1
    if ! fresh_run ./dev setup "$group"; then
      fresh_unmount "$FRESH/mnt"
      fresh_remove "$FRESH/layers/$name"
      return 1
    fi
    fresh_unmount "$FRESH/mnt"
  done
}

fresh_free_port() {
  local port
  for ((port = 52000; port < 53000; port++)); do
    # Connecting fails if no program listens.
    (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
  done
  echo "$port"
}

# Builds and starts the all-in-one as `./dev up` does, and plays the demo on it.
fresh_game() {
  local address server tries=18000 status=0
  address=127.0.0.1:$(fresh_free_port)
  fresh_run ./dev up --listen "$address" >"$STATE/log/fresh-server.log" 2>&1 &
  server=$!
  until fresh_run build/bin/komadai health --target "$address" >/dev/null 2>&1; do
    if ! kill -0 "$server" 2>/dev/null || ((tries-- <= 0)); then
      tail -n 30 "$STATE/log/fresh-server.log" >&2
      say "the all-in-one did not start"
      status=1
      break
    fi
    sleep 0.5
  done
  if ((status == 0)); then
    fresh_run build/bin/komadai demo --target "$address" >"$STATE/log/fresh-demo.log" 2>&1 ||
      status=1
    ((status == 0)) || tail -n 30 "$STATE/log/fresh-demo.log" >&2
  fi
  fresh_end_processes
  wait "$server" 2>/dev/null || true
  return "$status"
}

# fresh_check COMMAND
fresh_check() {
  local command=$1 preset=() groups status=0
  if [[ $command == tsan ]]; then
    command="test"
    preset=(tsan)
  fi
  read -r -a groups <<<"${COMMAND_GROUPS[$command]}"
  fresh_layers "${groups[@]}" || return 1
  fresh_mount "${FRESH_LAYERS[@]}" "run-$1" || return 1
  if [[ $command == lint ]]; then
    fresh_run ./dev lint || status=1
  elif [[ $command == helm ]]; then
    fresh_run ./dev helm || status=1
  else
    fresh_run ./dev prepare "$command" "${preset[@]}" || status=1
  fi
  if ((status == 0)) && [[ $command == up ]]; then
    fresh_game || status=1
  fi
  fresh_end_processes
  fresh_unmount "$FRESH/mnt"
  fresh_remove "$FRESH/layers/run-$1"
  return "$status"
}

# What the log of a failed command says is missing.
fresh_reason() {
  grep -aE 'CMake Error|Could NOT find [A-Za-z0-9_]+ \(missing|No package .* found|not found' \
    -A 3 "$1" | grep -avE '^ *$|^--$|c-ares' | sed 's/^ */  /' | head -n 12
}

# cmd_fresh [--without PACKAGE] [COMMAND...]
cmd_fresh() {
  local command passed=0 failed=0 log commands
  FRESH_WITHOUT=
  if [[ ${1:-} == --without ]]; then
    FRESH_WITHOUT=${2:-}
    [[ $FRESH_WITHOUT =~ ^[a-z0-9][a-z0-9.+-]+$ &&
      " ${PACKAGES[*]} " =~ [[:space:]]"$FRESH_WITHOUT"[[:space:]] ]] ||
      fail "--without needs a package of one of the groups" 2
    FRESH_WITHOUT=${FRESH_WITHOUT//+/\\+}
    shift 2
  fi
  commands=("$@")
  (($# > 0)) || commands=("${FRESH_COMMANDS[@]}")
  for command in "${commands[@]}"; do
    [[ " ${FRESH_COMMANDS[*]} " == *" $command "* ]] ||
      fail "fresh knows the commands ${FRESH_COMMANDS[*]}, not $command" 2
  done
  # As the kernel writes it in its list of mounts, which decides what may be removed.
  FRESH=$(pwd -P)/.state/fresh
  [[ $FRESH =~ ^[A-Za-z0-9/._-]+$ ]] || fail "fresh needs a checkout whose path is plain: $FRESH"
  ((EUID == 0)) || fail "fresh mounts file systems and changes its root: run it as root"
  setup_for fresh
  [[ -z $(git status --porcelain --untracked-files=no) ]] ||
    say "warning: changes that are not committed are not checked"
  FRESH_COMMIT=$(git rev-parse HEAD)
  FRESH_CCACHE=$STATE/ccache
  FRESH_CCACHE_SIZE=5G
  if have ccache; then
    FRESH_CCACHE=$(ccache --get-config cache_dir)
    FRESH_CCACHE_SIZE=$(ccache --get-config max_size) # or the cache would shrink to the default
  fi
  FRESH_NPM=
  ! have npm || FRESH_NPM=$(npm config get registry)
  mkdir -p "$FRESH" "$FRESH_CCACHE" "$STATE/log"
  exec {FRESH_LOCK}>"$FRESH/lock"
  flock -n "$FRESH_LOCK" || fail "another ./dev fresh runs in this checkout"
  fresh_cleanup # what a killed run left
  trap fresh_cleanup EXIT
  trap 'exit 130' INT TERM HUP
  fresh_bare
  for command in "${commands[@]}"; do
    log=$STATE/log/fresh-$command.log
    # A child, so that a check that gives up ends only itself; `set -e` is off inside a condition.
    if (trap - EXIT && fresh_check "$command") >"$log" 2>&1 {FRESH_LOCK}>&-; then
      printf 'fresh %s: ok\n' "$command"
      passed=$((passed + 1))
    else
      fresh_end_processes
      fresh_unmount "$FRESH/mnt"
      printf 'fresh %s: FAILED%s (whole output in %s)\n' "$command" \
        "${FRESH_WITHOUT:+ without $FRESH_WITHOUT}" "$log"
      fresh_reason "$log" || true # nothing recognised: the whole log is named above
      failed=$((failed + 1))
    fi
  done
  printf 'fresh: %d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}
