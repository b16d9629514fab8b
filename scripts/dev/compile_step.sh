#!/usr/bin/env bash
# Runs a compiler and notes what it took; ./dev build --timing puts this before each compile step.
set -euo pipefail
object=
for ((i = 1; i < $#; i++)); do
  if [[ ${!i} == -o ]]; then
    next=$((i + 1))
    object=${!next}
  fi
done
exec /usr/bin/time --quiet --append --output "$KOMADAI_TIMING_FILE" \
  --format "%U %S %M ${object//%/%%}" "$@"
