# shellcheck shell=bash
# ./dev lint: everything that can be checked without a build.

# The protos as main has them, as files: buf cannot fetch from every kind of work tree.
base_protos() {
  local base
  for base in origin/main main; do
    if git cat-file -e "$base:proto" 2>/dev/null; then
      mkdir -p "$1"
      git archive "$base" proto | tar -x -C "$1"
      return 0
    fi
  done
  return 1
}

lint_cpp() {
  local files
  mapfile -t files < <(git ls-files -- '*.cc' '*.h')
  ((${#files[@]} == 0)) || clang-format --dry-run -Werror "${files[@]}"
}

lint_shell() {
  local files
  # The parts of dev see each other only through it.
  mapfile -t files < <(git ls-files -- .ci/run '*.sh' ':!scripts/dev')
  shellcheck --external-sources --check-sourced dev && shellcheck "${files[@]}"
}

lint_proto() {
  local base status=0
  need_buf
  "$BUF" lint proto || status=1
  "$BUF" format proto --diff --exit-code || status=1
  base=$(mktemp -d)
  if base_protos "$base"; then
    "$BUF" breaking proto --against "$base/proto" || status=1
  else
    say "main has no protos yet: nothing to compare them with"
  fi
  rm -rf "$base"
  return "$status"
}

lint_tidy() { PYTHONDONTWRITEBYTECODE=1 python3 tests/tidy/tidy.py; }

lint_chart() {
  if ! helm_at_hand; then
    say "helm is not installed: ./dev helm fetches it and checks the chart"
    return 0
  fi
  need_helm
  "$HELM" lint --strict --quiet helm/komadai
}

cmd_lint() {
  local check passed=0 failed=0
  setup_for lint
  for check in cpp shell proto tidy chart locks; do
    # A subshell, so that a check that gives up ends only itself. `set -e` is off inside a
    # condition: each check returns its own status.
    if ("lint_$check"); then
      say "lint $check: ok"
      passed=$((passed + 1))
    else
      say "lint $check: FAILED"
      failed=$((failed + 1))
    fi
  done
  printf 'lint: %d passed, %d failed\n' "$passed" "$failed"
  ((failed == 0))
}
