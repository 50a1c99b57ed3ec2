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
    BEGIN { width = 1080; left = 10; own = 780; top = 34; high = 48; gap = 8; y = top - high - gap
        fill["java"] = "#dbe9f6"; fill["library"] = "#e4f0dc"
        fill["launcher"] = fill["delegatee"] = fill["explain"] = fill["netlib"] = "#f6ead2"
        fill["program"] = "#f6ead2" }
    function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }
    { idea = $0; sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, "", idea)
      n++; level[n] = $1; room[n] = $2; part[n] = $3; text[n] = idea; alike[$1]++ }
    function write(x, y, what, how) {
        body = body sprintf("<text x=\"%d\" y=\"%d\"%s>%s</text>\n", x, y, how, escape(what))
    }
    function box(x, w, name, what, kind) {
        body = body sprintf("<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" " \
            "fill=\"%s\" stroke=\"#555\"/>\n", x, y, w, high, fill[kind])
        write(x + 8, y + 14, name, " class=\"n\"")
        write_lines(x + 8, y + 28, w - 16, what)
    }
    function write_lines(x, y, w, what,    words, n, i, line) { # a letter is 6 wide at most
        n = split(what, words, " ")
        for (i = 1; i <= n; i++) {
            if (line != "" && 6 * length(line " " words[i]) > w) {
                write(x, y, line, "")
                y += 13
                line = ""
            }
            line = line (line == "" ? "" : " ") words[i]
        }
        write(x, y, line, "")
    }
    END {
        for (i = 1; i <= n; i++) {
            if (part[i] != "library" && part[i] != "java") { # beside the row above it
                box(left + own + gap, width - own - gap - 2 * left, room[i], text[i], part[i])
                continue
            }
            if (level[i] != last) { y += high + gap; place = 0 }
            last = level[i]
            w = (own - gap * (alike[level[i]] - 1)) / alike[level[i]]
            box(left + place++ * (w + gap), w, room[i], text[i], part[i])
        }
        height = y + high + 30
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
