#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws the rooms of docs/layers.txt as docs/layers.svg. With --check nothing is written: it fails
# when the picture is not the one of the table. Usage: draw-layers.sh [--check]
set -euo pipefail
export LC_ALL=C
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"

draw() {
    grep -v '^#' docs/layers.txt | sort -k1,1gr -k2,2 | awk '
    BEGIN { width = 1080; left = 10; own = 780; top = 34; gap = 8
        fill["java"] = "#dbe9f6"; fill["library"] = "#e4f0dc"
        fill["launcher"] = fill["delegatee"] = fill["explain"] = fill["netlib"] = "#f6ead2"
        fill["program"] = "#f6ead2" }
    function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }
    { idea = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", idea)
      n++; level[n] = $1; room[n] = $2; part[n] = $3; text[n] = idea; alike[$1]++ }
    function write(x, y, what, how) {
        body = body sprintf("<text x=\"%d\" y=\"%d\"%s>%s</text>\n", x, y, how, escape(what))
    }
    function box(i, x, y, high,    k) {
        body = body sprintf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" " \
            "fill=\"%s\" stroke=\"#555\"/>\n", x, y, wide[i], high, fill[part[i]])
        write(x + 8, y + 14, room[i], " class=\"n\"")
        for (k = 1; k <= lines[i]; k++) write(x + 8, y + 15 + 13 * k, line[i, k], "")
    }
    function divide(i,    words, n, k, m) { # a letter is 6 wide at most
        n = split(text[i], words, " ")
        for (k = m = 1; k <= n; k++) {
            if (line[i, m] != "" && 6 * length(line[i, m] " " words[k]) > wide[i] - 16) m++
            line[i, m] = line[i, m] (line[i, m] == "" ? "" : " ") words[k]
        }
        lines[i] = m
    }
    function is_beside(i) { return part[i] != "library" && part[i] != "java" }
    END {
        for (i = 1; i <= n; i++) {
            wide[i] = is_beside(i) ? width - own - gap - 2 * left \
                                   : (own - gap * (alike[level[i]] - 1)) / alike[level[i]]
            divide(i)
            row[i] = last = is_beside(i) ? last : level[i]
            if (high[last] < 22 + 13 * lines[i]) high[last] = 22 + 13 * lines[i]
        }
        for (i = 1; i <= n; i++) {
            if (row[i] != row[i - 1]) {
                y = i == 1 ? top : y + high[row[i - 1]] + gap
                place = 0
            }
            x = is_beside(i) ? left + own + gap : left + place++ * (wide[i] + gap)
            box(i, x, y, high[row[i]])
        }
        height = y + high[last] + 30
        bold = " class=\"n\""
        write(left, 20, "Java, and libhayate.so below it", bold)
        write(left + own + gap, 20, "linked on their own", bold)
        write(left, height - 10, "A room uses rooms below it only. Blue: Java. Green: C. " \
            "Yellow: C outside of libhayate.so, beside a room that it may not use.", "")
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " \
            "font-family=\"sans-serif\" font-size=\"11\">\n", width, height
        print "<!-- Drawn by scripts/draw-layers.sh from docs/layers.txt. -->"
        print "<style>.n{font-weight:bold;font-size:12px}</style>"
        print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        printf "%s</svg>\n", body
    }'
}

case "${1:-}" in
--check)
    if ! draw | cmp -s - docs/layers.svg; then
        echo "docs/layers.svg is older than docs/layers.txt: run scripts/draw-layers.sh"
        exit 1
    fi >&2
    ;;
"") draw >docs/layers.svg ;;
*) hy_refuse "unknown argument $1" ;;
esac
