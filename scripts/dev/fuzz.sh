# shellcheck shell=bash
# ./dev fuzz: the libFuzzer targets, from seeds made of the conformance vectors.

FUZZ=$STATE/fuzz
FUZZ_SECONDS=600

fuzz_targets() {
  local source
  for source in tests/fuzz/fuzz_*.cc; do
    [[ $source == *_test.cc ]] || basename "$source" .cc
  done
}

# fuzz_figure LOG PATTERN: the last number behind PATTERN in the log of a run, or 0.
fuzz_figure() {
  local found
  found=$(grep -aoE "$2 *[0-9]+" "$1" | tail -n 1 | grep -oE '[0-9]+$') || true
  echo "${found:-0}"
}

# fuzz_run TARGET SECONDS: one line on stdout; 1 on a finding. What was found before stays in the
# corpus, so that the next run continues from there.
fuzz_run() {
  local target=$1 seconds=$2 log=$FUZZ/$1.log status=0 findings
  local found=$FUZZ/findings/$target seeds=$FUZZ/seeds/$target corpus=$FUZZ/corpus/$target
  rm -rf "$seeds"
  mkdir -p "$found" "$corpus"
  build/fuzz/bin/komadai-fuzz-seeds "$target" tests/conformance/vectors "$seeds" >"$log"
  local inputs=("$corpus" "$seeds")
  [[ ! -d tests/fuzz/findings/$target ]] || inputs+=("tests/fuzz/findings/$target")
  say "fuzzing $target for $seconds s; log in $log"
  "build/fuzz/fuzz/$target" -max_total_time="$seconds" -timeout=20 -rss_limit_mb=3072 \
    -print_final_stats=1 -artifact_prefix="$found/" "${inputs[@]}" >>"$log" 2>&1 || status=1
  findings=$(find "$found" -type f | wc -l)
  printf '%-14s executions %s, coverage %s edges and %s features, corpus %s, findings %s\n' \
    "$target" "$(fuzz_figure "$log" 'number_of_executed_units:')" "$(fuzz_figure "$log" 'cov:')" \
    "$(fuzz_figure "$log" 'ft:')" "$(find "$corpus" -type f | wc -l)" "$findings"
  if ((status != 0 || findings > 0)); then
    tail -n 40 "$log" >&2
    say "$target: what it found is in $found; run build/fuzz/fuzz/$target FILE to see it again"
    return 1
  fi
}

# cmd_fuzz [NAME] [SECONDS]
cmd_fuzz() {
  local targets seconds=$FUZZ_SECONDS target status=0
  mapfile -t targets < <(fuzz_targets)
  if (($# > 0)) && [[ ! $1 =~ ^[0-9]+$ ]]; then
    target=fuzz_${1#fuzz_}
    [[ -f tests/fuzz/$target.cc ]] ||
      fail "no fuzz target named $1; there are: ${targets[*]#fuzz_}" 2
    targets=("$target")
    shift
  fi
  if (($# > 0)); then
    seconds=$1
    [[ $seconds =~ ^[1-9][0-9]*$ ]] || fail "usage: ./dev fuzz [NAME] [SECONDS]" 2
  fi
  cmd_prepare fuzz
  build_targets fuzz fuzzers
  for target in "${targets[@]}"; do
    fuzz_run "$target" "$seconds" || status=1
  done
  return "$status"
}
