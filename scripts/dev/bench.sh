# shellcheck shell=bash
# ./dev bench: programs named komadai-bench-NAME that print one JSON object per line.

# From the sources, so that listing them builds nothing.
bench_names() {
  grep -rhoE --include=CMakeLists.txt '^komadai_tool\(komadai-bench-[a-z]+' libs tests |
    sed 's/.*komadai-bench-//' | sort
}

# bench_table: JSON lines in, a table for people out.
bench_table() {
  python3 -c '
import json, sys
rows = [("bench", "case", "value", "unit", "peer", "peer value", "ratio")]
number = lambda value: "" if value is None else f"{value:,.6g}"
for line in sys.stdin:
    if line.startswith("{"):
        row = json.loads(line)
        rows.append((row["bench"], row["case"], number(row["value"]), row["unit"],
                     row.get("peer") or "", number(row.get("peer_value")),
                     number(row.get("ratio"))))
widths = [max(map(len, column)) for column in zip(*rows)]
for row in rows:
    cells = [cell.rjust(width) if index in (2, 5, 6) else cell.ljust(width)
             for index, (cell, width) in enumerate(zip(row, widths))]
    print("  ".join(cells).rstrip())
'
}

cmd_bench() {
  local name=${1:-} lines status=0
  if [[ -z $name ]]; then
    bench_names
    echo build
    return 0
  fi
  shift
  if [[ $name == build ]]; then
    cmd_timing "$@"
    return
  fi
  bench_names | grep -Fqx -- "$name" ||
    fail "no benchmark named $name; there are: $(bench_names | tr '\n' ' ')build" 2
  cmd_prepare bench
  build_targets release "komadai-bench-$name"
  lines=$(mktemp)
  "build/bin/komadai-bench-$name" "$@" | tee "$lines" || status=$?
  bench_table <"$lines" >&2
  rm -f "$lines"
  return "$status"
}
