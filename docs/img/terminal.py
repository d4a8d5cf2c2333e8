"""A screen of a terminal, with its colours as `tmux capture-pane -e` prints them, as SVG."""

import html
import re
import sys

COLOURS = ["#1d2126", "#ff8a8a", "#6fd6a0", "#e6c35c", "#8ab8ff", "#dba0ee", "#5ed3de", "#e8eaed"]
WIDTH, HEIGHT = 8.4, 18


def colour(codes, style):
    """Applies the codes of one escape sequence."""
    numbers = [int(code or 0) for code in codes.split(";")]
    while numbers:
        code = numbers.pop(0)
        if code == 0:
            style = {}
        elif code == 1:
            style = {**style, "bold": True}
        elif code == 2:
            style = {**style, "dim": True}
        elif code == 7:
            style = {**style, "reverse": True}
        elif code == 27:
            style = {**style, "reverse": False}
        elif 30 <= code <= 37:
            style = {**style, "fore": COLOURS[code - 30]}
        elif 90 <= code <= 97:
            style = {**style, "fore": COLOURS[code - 90]}
        elif 40 <= code <= 47:
            style = {**style, "back": COLOURS[code - 40]}
        elif 100 <= code <= 107:
            style = {**style, "back": "#3a414a"}
        elif code == 39:
            style = {**style, "fore": None}
        elif code == 49:
            style = {**style, "back": None}
        elif code in (38, 48) and numbers[:1] == [5]:
            numbers = numbers[2:]
    return style


def main():
    lines = open(sys.argv[1], encoding="utf-8").read().rstrip("\n").split("\n")
    plain = [re.sub(r"\x1b\[[0-9;]*m", "", line) for line in lines]
    columns = max(len(line) for line in plain)
    width, height = columns * WIDTH + 20, len(lines) * HEIGHT + 20
    print(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" role="img">')
    print("<title>exeunt sim at the end of a schedule</title>")
    print('<rect width="100%" height="100%" rx="8" fill="#15181c"/>')
    print('<g font-family="ui-monospace,DejaVu Sans Mono,monospace" font-size="14">')
    style = {}
    for row, line in enumerate(lines):
        column = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            codes = re.fullmatch(r"\x1b\[([0-9;]*)m", part)
            if codes:
                style = colour(codes.group(1), style)
                continue
            if not part:
                continue
            fore, back = style.get("fore") or "#e8eaed", style.get("back")
            if style.get("reverse"):
                fore, back = "#15181c", style.get("fore") or "#e8eaed"
            x, y = 10 + column * WIDTH, 24 + row * HEIGHT
            if back:
                print(f'<rect x="{x:.1f}" y="{y - 14}" width="{len(part) * WIDTH:.1f}" height="{HEIGHT}" fill="{back}"/>')
            if part.strip():
                more = ' font-weight="bold"' if style.get("bold") else ""
                more += ' opacity=".65"' if style.get("dim") else ""
                text = html.escape(part).replace(" ", chr(160))
                length = f'textLength="{len(part) * WIDTH:.1f}" lengthAdjust="spacingAndGlyphs"'
                print(f'<text x="{x:.1f}" y="{y}" fill="{fore}" {length}{more}>{text}</text>')
            column += len(part)
    print("</g></svg>")


main()
