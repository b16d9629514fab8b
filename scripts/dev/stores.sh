# shellcheck shell=bash
# A PostgreSQL cluster and a Redis of the checkout's own, on loopback, apart from the system's.

# The newest server Debian or Ubuntu installed; its programs are not in PATH.
postgres_bin() {
  local dirs=(/usr/lib/postgresql/*/bin)
  [[ -x ${dirs[-1]}/initdb ]] || fail "PostgreSQL is missing: run ./dev setup"
  echo "${dirs[-1]}"
}

# PostgreSQL refuses to run as root, so root runs it as the user the package made.
as_postgres() {
  if ((EUID == 0)); then
    (cd / && runuser -u postgres -- "$@")
  else
    "$@"
  fi
}

# The data directory: in the checkout, unless its user may not enter that (a checkout in /root).
postgres_data() {
  local place=$STACK/postgres
  if ((EUID == 0)) && ! runuser -u postgres -- test -x "$STACK" 2>/dev/null; then
    place=/var/tmp/komadai-$(printf '%s' "$STACK" | cksum | cut -d' ' -f1)/postgres
  fi
  echo "$place"
}

postgres_running() { as_postgres "$(postgres_bin)/pg_ctl" -D "$1" status >/dev/null 2>&1; }

postgres_up() {
  local bin data password=$1 port=$2
  bin=$(postgres_bin)
  data=$(postgres_data)
  if [[ ! -e $data/PG_VERSION ]]; then
    mkdir -p "$data"
    ((EUID != 0)) || chown -R postgres: "$data"
    chmod 700 "$data"
    local pwfile
    pwfile=$(mktemp)
    printf '%s\n' "$password" >"$pwfile"
    ((EUID != 0)) || chown postgres: "$pwfile"
    quietly "$STACK/log/initdb.log" as_postgres "$bin/initdb" -D "$data" -U komadai -E UTF8 \
      --locale=C.UTF-8 --auth=scram-sha-256 --pwfile="$pwfile"
    rm -f "$pwfile"
  fi
  if ! postgres_running "$data"; then
    quietly "$STACK/log/postgres-start.log" as_postgres "$bin/pg_ctl" -D "$data" -w -t 60 \
      -l "$data/server.log" \
      -o "-c listen_addresses=127.0.0.1 -c port=$port -c unix_socket_directories=''" start
  fi
  export PGPASSWORD=$password
  local psql=("$bin/psql" -X -q -h 127.0.0.1 -p "$port" -U komadai)
  if ! "${psql[@]}" -At -d postgres -c 'SELECT datname FROM pg_database' | grep -qx komadai; then
    "${psql[@]}" -d postgres -c 'CREATE DATABASE komadai'
  fi
  unset PGPASSWORD
}

postgres_down() {
  local data
  data=$(postgres_data)
  if [[ -e $data/PG_VERSION ]] && postgres_running "$data"; then
    quietly "$STACK/log/postgres-stop.log" \
      as_postgres "$(postgres_bin)/pg_ctl" -D "$data" -w -m fast stop
  fi
}

redis_pid() { cat "$STACK/redis.pid" 2>/dev/null || true; }

redis_up() {
  local port=$1 tries=100
  process_is "$(redis_pid)" redis-server && return 0
  mkdir -p "$STACK/redis"
  # Every acknowledged move is on disk: that is promised wherever Redis holds games. Its log is
  # rewritten seldom, and without compression: that takes the processor from the games.
  redis-server --bind 127.0.0.1 --port "$port" --dir "$STACK/redis" --daemonize yes \
    --pidfile "$STACK/redis.pid" --logfile "$STACK/log/redis.log" \
    --appendonly yes --appendfsync always --save '' --rdbcompression no \
    --auto-aof-rewrite-min-size 1gb --maxmemory-policy noeviction >/dev/null
  until [[ $(redis-cli -h 127.0.0.1 -p "$port" ping 2>/dev/null) == PONG ]]; do
    ((tries-- > 0)) || fail "Redis did not start: see $STACK/log/redis.log"
    sleep 0.1
  done
}

redis_down() { stop_pid "$(redis_pid)" redis-server 20; }
