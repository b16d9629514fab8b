# shellcheck shell=bash
# ./dev build --timing: what each compile step costs in time and memory, without the compiler cache.

TIMING_SLOWEST=10

# timing_report FILE: lines of "user-seconds system-seconds kilobytes object" in, JSON lines out.
timing_report() {
  python3 - "$1" "$TIMING_SLOWEST" <<'PYTHON'
import json, sys
steps = []
for line in open(sys.argv[1]):
    user, system, kilobytes, name = line.split(None, 3)
    steps.append((float(user) + float(system), int(kilobytes) / 1024, name.strip()))
steps.sort(reverse=True)
show = lambda case, value, unit: print(json.dumps(
    {"bench": "build", "case": case, "value": round(value, 2), "unit": unit}))
for seconds, megabytes, name in steps[:int(sys.argv[2])]:
    show(name, seconds, "s")
    show(name, megabytes, "MB")
show("largest memory of a step", max((step[1] for step in steps), default=0), "MB")
show("all steps", sum(step[0] for step in steps), "s")
show("all steps", len(steps), "steps")
PYTHON
}

# cmd_timing [PRESET] [TARGET...]: compiles everything again in a folder of its own.
cmd_timing() {
  local preset=${1:-dev} dir lines
  local targets=("${@:2}")
  ((${#targets[@]} > 0)) || case $preset in
    release) targets=(programs) ;;
    fuzz) targets=(fuzzers) ;;
    *) targets=(tests) ;;
  esac
  setup_for timing
  case $preset in
    release) ;;
    fuzz) setup_for fuzz ;;
    *) setup_for test ;;
  esac
  dir=$ROOT/build/timing/$preset
  rm -rf "$dir"
  mkdir -p "$dir"
  # The measuring script stands where the compiler cache would be.
  configure "$preset" -B "$dir" -DKOMADAI_CCACHE="$ROOT/scripts/dev/compile_step.sh"
  export KOMADAI_TIMING_FILE=$dir/steps
  : >"$KOMADAI_TIMING_FILE"
  cmake --build "$dir" --target "${targets[@]}" >&2 || fail "the $preset build failed"
  lines=$(mktemp)
  timing_report "$KOMADAI_TIMING_FILE" | tee "$lines"
  bench_table <"$lines" >&2
  rm -f "$lines"
}
