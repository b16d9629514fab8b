#!/bin/sh
# An engine for tests: speaks just enough USI, and misbehaves as its first argument says.
mode=$1
mark=$2

greet() { echo 'id name Fake Engine'; echo 'option name MultiPV type spin default 1'; echo usiok; }

case $mode in
  silent) exec cat >/dev/null ;;
  exits) echo 'cannot start: no weights' >&2; exit 3 ;;
  garbage) while read -r line; do printf '\377\376 bestmove usiok? info %s\n' "$line"; done; exit ;;
  endless-line) exec tr '\0' x </dev/zero ;;
  closes-input) exec <&-; exec sleep 1000 ;;
  complains) while read -r line; do yes complaint >&2; done ;;
esac

while read -r command rest; do
  case $command in
    usi) greet ;;
    isready) echo readyok ;;
    quit) exit ;;
    go)
      case $mode in
        obedient) echo "info depth 1 score cp 10 pv 7g7f"; echo "bestmove 7g7f" ;;
        echo-go) echo "$rest" >>"$mark"; echo "bestmove 7g7f" ;;
        illegal) echo "info depth 1 multipv 1 score cp 10 pv 1a1b"
                 echo "info depth 1 multipv 2 score cp 9 pv 2g2f 2g2e"; echo "bestmove 1a1b" ;;
        obeys-searchmoves)
          case $rest in
            *searchmoves*) echo "bestmove ${rest##* }" ;;
            *) echo "bestmove 1a1b" ;;
          esac ;;
        resigns) echo "bestmove resign" ;;
        until-stopped) echo "info depth 1 score cp 10 pv 7g7f" ;;
        deaf) echo "info depth 1 score cp 10 pv 7g7f" ;;
        floods) yes "info depth 1 score cp 10 pv 7g7f" ;;
        dies) exit 1 ;;
        dies-once) if [ -e "$mark" ]; then echo "bestmove 7g7f"; else : >"$mark"; exit 1; fi ;;
      esac ;;
    stop) if [ "$mode" = until-stopped ]; then echo "bestmove 7g7f"; fi ;;
  esac
done
