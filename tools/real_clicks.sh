#!/bin/sh
# The window under real clicks: a virtual display, a mouse and a keyboard that are not pygame's.
# Needs Xvfb, xdotool, xwininfo and ImageMagick. Exits non-zero when the window does not come up, or does not answer.
#
#   sh tools/real_clicks.sh [FOLDER]      pictures of every step go to FOLDER (a temporary one otherwise)
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$(mktemp -d)}
mkdir -p "$out"
for tool in Xvfb xdotool xwininfo import compare; do
    command -v "$tool" >/dev/null || { echo "$tool is not installed"; exit 3; }
done

rm -f "$out/display"
Xvfb -displayfd 3 -screen 0 1600x1000x24 -nolisten tcp 3>"$out/display" 2>/dev/null &
screen=$!
game=
trap 'kill $game $screen 2>/dev/null || true' EXIT
for _ in $(seq 50); do [ -s "$out/display" ] && break; sleep 0.1; done
DISPLAY=:$(cat "$out/display")
export DISPLAY
unset SDL_VIDEODRIVER || true
SDL_AUDIODRIVER=dummy timeout 180 "$here/.venv/bin/tabletop" play "$here/scenarios/tse/quatre-bras.yaml" >"$out/log" 2>&1 &
game=$!

fail() { echo "FAILED: $1"; cat "$out/log"; exit 1; }
look() { import -window root "$out/$1.png"; }
# changed BEFORE AFTER LEAST WHAT: at least LEAST pixels of the pictures must differ.
changed() {
    n=$(compare -metric AE -fuzz 4% "$out/$1.png" "$out/$2.png" null: 2>&1 || true)
    n=$(printf '%.0f' "${n%% *}")
    echo "$4: $n pixels changed"
    [ "$n" -ge "$3" ] || fail "$4: fewer than $3 pixels changed"
}

# "0x200008 "tabletop - ...": (...)  1440x850+80+75  +80+75": the id, and where the window lies on the screen.
row=
for _ in $(seq 80); do
    row=$(xwininfo -root -tree | grep '"tabletop - ' || true)
    [ -n "$row" ] && break
    sleep 0.5
done
[ -n "$row" ] || fail "the window did not come up"
window=$(echo "$row" | awk '{print $1}')
set -- $(echo "$row" | sed 's/.*)  *\([0-9]*\)x\([0-9]*\)+.*  *+\([0-9]*\)+\([0-9]*\) *$/\1 \2 \3 \4/')
WIDTH=$1 HEIGHT=$2 X=$3 Y=$4
xdotool windowfocus "$window" || true
sleep 4
look 1-open
echo "window ${WIDTH}x${HEIGHT} at $X,$Y"

# Where a unit stands on the whole table: the same sum the window makes, from the window's size.
at() { PYGAME_HIDE_SUPPORT_PROMPT=1 "$here/.venv/bin/python" -c '
import sys
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.camera import Camera
from tabletop.render.table.panel import WIDTH
wide, high, left, top = map(int, sys.argv[1:5])
battle = load_scene(sys.argv[5])
camera = Camera.fitting((battle.table.width, battle.table.height), (wide - WIDTH, high))
x, y = camera.to_screen(battle.unit(sys.argv[6]).at)
print(left + round(x), top + round(y))' "$WIDTH" "$HEIGHT" "$X" "$Y" "$here/scenarios/tse/quatre-bras.yaml" "$1"; }

# shellcheck disable=SC2046
set -- $(at kempt)
x=$1 y=$2
echo "the unit is at $x,$y"
xdotool mousemove "$x" "$y"; sleep 0.5
look 2-pointed
changed 1-open 2-pointed 300 "pointing at a unit shows its card"
xdotool click 1; sleep 12
look 3-selected
changed 2-pointed 3-selected 100000 "a click selects the unit and its overlays appear"

xdotool mousemove "$x" "$y" mousedown 1
for i in 1 2 3 4 5 6 7 8 9 10; do xdotool mousemove $((x + 5 * i)) $((y - 4 * i)); sleep 0.1; done
sleep 4
look 4-dragged
changed 3-selected 4-dragged 4000 "a drag shows the ghost"
xdotool key e; sleep 1
xdotool key Escape; sleep 0.5
xdotool mouseup 1; sleep 8
look 5-let-go
changed 4-dragged 5-let-go 4000 "Escape lets go"

xdotool click 4 click 4 click 4 click 4; sleep 3
look 6-zoomed
changed 5-let-go 6-zoomed 200000 "the wheel zooms"
xdotool key Home key 0; sleep 2
look 7-bare
changed 6-zoomed 7-bare 200000 "Home and 0"
xdotool key F1; sleep 1
look 8-keys
changed 7-bare 8-keys 100000 "F1 lays the sheet of keys"
xdotool key Escape; sleep 1
kill -0 "$game" 2>/dev/null || fail "the window has closed"
echo "all well; pictures in $out"
