# shellcheck shell=bash
# ./dev build, up, test, load and chaos: what compiles and runs the project's own programs.

# Where the binaries of a preset are.
preset_dir() {
  if [[ $1 == release ]]; then echo build; else echo "build/$1"; fi
}

# build_targets PRESET [TARGET...]. Compiler output goes to stderr: callers may be piping results
# from stdout.
build_targets() {
  local preset=$1 missing targets=()
  shift
  (($# == 0)) || targets=(--target "$@")
  mapfile -t missing < <(missing_packages build)
  ((${#missing[@]} == 0)) || fail "packages are missing (${missing[*]}): run ./dev setup"
  # Configured every time: a folder that is new in the tree is then built too.
  quietly "$STATE/log/configure-$preset.log" cmake --preset "$preset"
  cmake --build --preset "$preset" "${targets[@]}" >&2 || fail "the $preset build failed"
}

cmd_build() {
  local preset=${1:-release}
  if [[ $preset == release ]]; then
    build_targets release programs # what ships needs no tests; they run with sanitizers
  else
    build_targets "$preset"
  fi
}

cmd_up() {
  cmd_setup build play
  build_targets release komadai
  # As variables, so that a flag given to `up` wins. Test players may play rated games without an
  # account; only this machine can reach the address.
  export KOMADAI_LISTEN=${KOMADAI_LISTEN:-127.0.0.1:50051} KOMADAI_DATA=${KOMADAI_DATA:-$STATE/up}
  export KOMADAI_ALLOW_TEST_PLAYERS=${KOMADAI_ALLOW_TEST_PLAYERS:-true}
  cat >&2 <<HELP

Serving; games are kept in $KOMADAI_DATA. Ctrl-C stops it. In a second terminal:

  build/bin/komadai demo                 two guests play a whole recorded game
  build/bin/komadai play                 play against the computer
  build/bin/komadai --help               everything else

HELP
  exec build/bin/komadai serve "$@"
}

# test_summary JUNIT_FILE: one plain line, "tests: N passed, N failed" (and ", N skipped" if any).
test_summary() {
  python3 - "$1" <<'PYTHON'
import sys, xml.etree.ElementTree as tree
cases = list(tree.parse(sys.argv[1]).getroot().iter("testcase"))
failed = sum(case.get("status") == "fail" for case in cases)
skipped = sum(case.get("status") in ("notrun", "disabled") for case in cases)
line = f"tests: {len(cases) - failed - skipped} passed, {failed} failed"
print(line + (f", {skipped} skipped" if skipped else ""))
PYTHON
}

cmd_test() {
  local layer=${1:-} dir junit status=0
  local select=(-L "^$layer\$")
  if [[ -z $layer ]]; then
    # Five minutes of killing processes are a layer to ask for; half a minute of it is in e2e.
    select=(-LE '^chaos$')
    say "the layer chaos (5 minutes) runs with: ./dev test chaos"
  fi
  cmd_setup build play test
  cmd_build dev
  dir=$(preset_dir dev)
  junit=$STATE/log/tests.xml
  rm -f "$junit"
  ctest --test-dir "$dir" --output-on-failure --no-tests=error -j2 \
    --output-junit "$junit" "${select[@]}" || status=$?
  [[ -s $junit ]] || fail "no test was run${layer:+ in layer $layer}"
  test_summary "$junit"
  return "$status"
}

# cmd_program load|chaos ARGUMENTS...
cmd_program() {
  local program=build/bin/komadai-$1 groups=(build)
  [[ $1 != chaos ]] || groups=(build play test) # it brings its own Redis and PostgreSQL
  shift
  cmd_setup "${groups[@]}"
  cmd_build release
  [[ -x $program ]] || fail "this version has no program ${program##*/}: there is nothing to run" 2
  exec "$program" "$@"
}
