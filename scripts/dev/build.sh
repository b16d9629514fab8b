# shellcheck shell=bash
# ./dev build, up, test, load, attack and chaos: what compiles and runs the project's own programs.

# Where the binaries of a preset are.
preset_dir() {
  if [[ $1 == release ]]; then echo build; else echo "build/$1"; fi
}

# configure PRESET [OPTION...]. Every time: a folder that is new in the tree is then built too.
configure() {
  case $1 in
    release | dev | full | tsan | fuzz) ;;
    *) fail "unknown preset: $1; there are release, dev, full, tsan and fuzz" 2 ;;
  esac
  quietly "$STATE/log/configure-$1.log" cmake --preset "$@"
}

# build_targets PRESET TARGET...: compiles in a configured folder. Compiler output goes to stderr:
# callers may be piping results from stdout.
build_targets() {
  local preset=$1
  shift
  cmake --build --preset "$preset" --target "$@" >&2 || fail "the $preset build failed"
}

cmd_build() {
  local preset=${1:-release}
  if [[ $preset == --timing ]]; then
    shift
    cmd_timing "$@"
    return
  fi
  case $preset in
    release)
      cmd_prepare build
      build_targets release programs
      ;;
    fuzz)
      cmd_prepare fuzz
      build_targets fuzz fuzzers
      ;;
    *)
      cmd_prepare test "$preset"
      build_targets "$preset" programs tests
      ;;
  esac
}

cmd_up() {
  cmd_prepare up
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

# has_layer BUILD_DIR LAYER
has_layer() { ctest --test-dir "$1" --print-labels | sed 's/^ *//' | grep -Fqx -- "$2"; }

# cmd_test [--full | full | tsan] [LAYER]
cmd_test() {
  local preset=dev layer dir junit target=tests status=0
  case ${1:-} in
    full | --full)
      preset=full
      shift
      ;;
    tsan)
      preset=tsan
      shift
      ;;
  esac
  layer=${1:-}
  cmd_prepare test "$preset"
  dir=$(preset_dir "$preset")
  local select=(-L "^$layer\$")
  if [[ -n $layer ]]; then
    has_layer "$dir" "$layer" || fail "there is no layer $layer in the $preset build" 2
    target=tests_$layer
  else
    # Five minutes of killing processes are a layer to ask for; half a minute of it is in e2e.
    select=(-LE '^chaos$')
    [[ $preset == tsan ]] || say "the layer chaos (5 minutes) runs with: ./dev test chaos"
  fi
  build_targets "$preset" "$target"
  junit=$STATE/log/tests.xml
  rm -f "$junit"
  ctest --test-dir "$dir" --output-on-failure --no-tests=error -j2 \
    --output-junit "$junit" "${select[@]}" || status=$?
  [[ -s $junit ]] || fail "no test was run${layer:+ in layer $layer}"
  test_summary "$junit"
  return "$status"
}

# cmd_program load|chaos|attack ARGUMENTS...
cmd_program() {
  local command=$1
  shift
  cmd_prepare "$command"
  build_targets release "komadai-$command"
  exec "build/bin/komadai-$command" "$@"
}
