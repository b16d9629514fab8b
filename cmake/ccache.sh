#!/bin/sh
# ccache.sh CCACHE COMPILER ARGUMENTS...: compiles through ccache. Beside a precompiled header it
# leaves a checksum. ccache reads that instead of the 100 MB of the header for each source.
"$@" || exit
for argument in "$@"; do
  case $argument in
    *.gch) [ ! -f "$argument" ] || sha256sum <"$argument" >"$argument.sum" ;;
  esac
done
