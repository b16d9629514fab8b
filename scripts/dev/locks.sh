# shellcheck shell=bash
# Part of ./dev lint: clang's thread-safety analysis, by the annotations of libs/base/mutex.h.

LOCKS=$STATE/locks # the contracts' headers, and what has passed

# GCC's <coroutine> asks for the define, which this clang does not set.
locks_clang() {
  clang++ -x c++ -std=c++20 -stdlib=libstdc++ -D__cpp_impl_coroutine=201902L -I. \
    -isystem "$LOCKS/gen" -fsyntax-only -Wthread-safety -Werror=thread-safety \
    -Wno-pragma-once-outside-header "$@"
}

locks_contracts() {
  local protos
  mapfile -t protos < <(git ls-files -- 'proto/*.proto')
  sha256sum --check --status "$LOCKS/contracts" 2>/dev/null && return 0
  rm -rf "$LOCKS"
  mkdir -p "$LOCKS/gen" "$LOCKS/passed"
  protoc -Iproto --cpp_out="$LOCKS/gen" --grpc_out="$LOCKS/gen" \
    --plugin=protoc-gen-grpc="$(command -v grpc_cpp_plugin)" "${protos[@]}" || return 1
  sha256sum "${protos[@]}" >"$LOCKS/contracts"
}

# Every file that has to do with a lock; of a class's header and source, the source.
locks_files() {
  local file
  git grep -lE 'libs/base/mutex\.h"|\bMutexLock\b|\bKOMADAI_(GUARDED_BY|REQUIRES)\b' \
    -- '*.h' '*.cc' | while read -r file; do
    [[ ! -f ${file%.h}.cc ]] || file=${file%.h}.cc
    printf '%s\n' "$file"
  done | sort -u
}

# A file that has passed is not parsed again until it or a header of ours that it includes changes.
locks_check() {
  local file=$1 passed=$LOCKS/passed/${1//\//+} parts
  sha256sum --check --status "$passed" 2>/dev/null && return 0
  locks_clang -MMD -MT parts -MF "$passed.d" "$file" || return 1
  read -r -d '' -a parts < <(sed 's/^parts://; s/\\$//' "$passed.d")
  sha256sum scripts/dev/locks.sh "${parts[@]}" >"$passed"
}

lint_locks() {
  local files
  locks_contracts || return 1
  # A clang that finds nothing wrong here does not look, and its silence would mean nothing.
  if locks_clang - 2>/dev/null <<<'#include "libs/base/mutex.h"
      struct S { komadai::Mutex m; int n KOMADAI_GUARDED_BY(m); int Read() { return n; } };'; then
    say "clang does not check the annotations of libs/base/mutex.h"
    return 1
  fi
  mapfile -t files < <(locks_files)
  export LOCKS
  export -f locks_clang locks_check
  printf '%s\0' "${files[@]}" | xargs -0 -n 1 -P "$(nproc)" bash -c "locks_check \$1" locks
}
