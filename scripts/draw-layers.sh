#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Draws the rooms of docs/layers.txt as docs/layers.svg. With --check nothing is written: it fails
# when the picture is not the one of the table, or a text runs out of its box.
# Usage: draw-layers.sh [--check | --self-test]
set -euo pipefail
export LC_ALL=C
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"

# Widths of letters over the size of the font: those of DejaVu Sans, which is wider than most of
# what viewers take for "sans-serif". A bold letter is wider by a quarter at most.
glyphs='
    function letter(c) {
        if (index(" ijlIJ,./:;|\\\047", c)) return 0.34
        if (index("ft!r-()[]", c)) return 0.42
        if (index("\"*_`sz?", c)) return 0.54
        if (index("abcdeghknopquvxyEFLPSTY$0123456789{}", c)) return 0.64
        if (index("ABCKRVXZ", c)) return 0.70
        if (index("DGHNOQUw&#+<=>^~", c)) return 0.84
        return 1
    }
    function width(text, bold,    i, sum) {
        for (i = 1; i <= length(text); i++) sum += letter(substr(text, i, 1))
        return sum * (bold ? 12 * 1.25 : 11)
    }'

# draw TABLE: levels from the top. Those of the library and of Java are at the left; what is linked
# on its own is at the right, beside the level above it.
draw() {
    grep -v '^#' "$1" | sort -k1,1gr -k2,2 | awk "$glyphs"'
    BEGIN {
        edge = 10; own = 780; beside = 262; top = 34; gap = 8; pad = 8; title = 22; line = 13
        fill["java"] = "#dbe9f6"; fill["library"] = "#e4f0dc"; other = "#f6ead2"
    }
    {
        n++; level[n] = $1; room[n] = $2; part[n] = $3
        sub(/^[^ ]+ +[^ ]+ +[^ ]+ +/, ""); text[n] = $0
        if (is_own(n)) {
            count[level[n]]++
            if (widest[level[n]] < least(n)) widest[level[n]] = least(n)
        }
    }
    function is_own(i) { return part[i] in fill }
    function least(i,    words, k, most) { # no word is broken
        most = width(room[i], 1)
        for (k = split(text[i], words, " "); k > 0; k--)
            if (width(words[k]) > most) most = width(words[k])
        return most + 2 * pad
    }
    function columns(at,    most) { # equally many in each row of a level
        most = int((own + gap) / (widest[at] + gap))
        if (most < 1) most = 1
        return ceil(count[at] / ceil(count[at] / most))
    }
    function ceil(x) { return int(x) + (x > int(x)) }
    function divide(i,    words, k, m, most) {
        most = split(text[i], words, " ")
        for (k = m = 1; k <= most; k++) {
            if (lines[i, m] != "" && width(lines[i, m] " " words[k]) > wide[i] - 2 * pad) m++
            lines[i, m] = lines[i, m] (lines[i, m] == "" ? "" : " ") words[k]
        }
        return m
    }
    function place(i) {
        if (is_own(i)) {
            if (level[i] != last || column == columns(last)) { row++; column = 0 }
            last = level[i]
            wide[i] = (own - gap * (columns(last) - 1)) / columns(last)
            left[i] = edge + column++ * (wide[i] + gap)
        } else {
            if (!row) row = 1
            wide[i] = beside
            left[i] = edge + own + gap
            below[i] = right[row] # of the top of its row
        }
        row_of[i] = row
        most[i] = divide(i)
        need = title + line * most[i] + below[i]
        if (high[row] < need) high[row] = need
        if (!is_own(i)) { right[row] = need + gap; lowest[row] = i }
    }
    function escape(text) { gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text); return text }
    function write(x, y, what, bold) {
        printf "<text x=\"%d\" y=\"%d\"%s>%s</text>\n", x, y, bold ? " class=\"n\"" : "",
            escape(what)
    }
    function box(i, y,    k, tall) {
        tall = is_own(i) || lowest[row_of[i]] == i ? high[row_of[i]] - below[i] \
                                                   : title + line * most[i]
        y += below[i]
        printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"4\" fill=\"%s\" " \
            "stroke=\"#555\"/>\n", left[i], y, wide[i], tall, is_own(i) ? fill[part[i]] : other
        write(left[i] + pad, y + 14, room[i], 1)
        for (k = 1; k <= most[i]; k++) write(left[i] + pad, y + 15 + line * k, lines[i, k])
    }
    END {
        for (i = 1; i <= n; i++) place(i)
        y[1] = top
        for (i = 1; i <= row; i++) y[i + 1] = y[i] + high[i] + gap
        printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" " \
            "font-family=\"sans-serif\" font-size=\"11\">\n",
            own + gap + beside + 2 * edge, y[row + 1] + 22
        print "<!-- Drawn by scripts/draw-layers.sh from docs/layers.txt. -->"
        print "<style>.n{font-weight:bold;font-size:12px}</style>"
        print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
        for (i = 1; i <= n; i++) box(i, y[row_of[i]])
        write(edge, 20, "Java, and libhayate.so below it", 1)
        write(edge + own + gap, 20, "linked on their own", 1)
        write(edge, y[row + 1] + 12, "A room uses rooms below it only. Blue: Java. Green: C. " \
            "Yellow: C outside of libhayate.so, beside a room that it may not use.")
        print "</svg>"
    }'
}

# Prints each text of the picture $1 that runs out of the box in which it begins (out of the
# picture, if it begins in none), and each box that lies over another one.
check_picture() {
    awk "$glyphs"'
    function attribute(name) {
        if (!match($0, " " name "=\"[0-9]+")) return 0
        return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) + 0
    }
    function over(i, k) {
        return x[i] < x[k] + wide[k] && x[k] < x[i] + wide[i] &&
               y[i] < y[k] + high[k] && y[k] < y[i] + high[i]
    }
    match($0, /viewBox="[0-9 ]+/) {
        split(substr($0, RSTART + 9, RLENGTH - 9), word, " ")
        wide[0] = word[3]; high[0] = word[4]
    }
    /^<rect x=/ {
        n++
        x[n] = attribute("x"); y[n] = attribute("y")
        wide[n] = attribute("width"); high[n] = attribute("height")
        for (i = 1; i < n; i++) if (over(i, n)) print "a box lies over another one: " $0
    }
    /^<text / {
        at = attribute("x"); base = attribute("y"); bold = /class="n"/
        gsub(/<[^>]*>/, ""); gsub(/&lt;/, "<"); gsub(/&amp;/, "\\&")
        box = 0
        for (i = 1; i <= n; i++)
            if (x[i] <= at && at < x[i] + wide[i] && y[i] <= base && base < y[i] + high[i]) box = i
        if (at + width($0, bold) > x[box] + wide[box] || base - 9 < y[box] ||
            base + 3 > y[box] + high[box])
            print "a text runs out of its box: " $0
    }' "$1"
}

check() { # check TABLE PICTURE
    local found
    if ! draw "$1" | cmp -s - "$2"; then
        echo "$2 is older than $1: run scripts/draw-layers.sh"
        return 1
    fi
    found=$(check_picture "$2")
    [ -z "$found" ] && return 0
    printf '%s\n' "$found" | sed "s#^#$2: #"
    return 1
}

# self_test NAME PICTURE: it must be refused, or, when NAME starts with "accept", accepted.
self_test() {
    local found
    found=$(check_picture "$2")
    if [[ $1 == accept* && -z $found || $1 == refuse* && -n $found ]]; then
        echo "ok - picture: $1"
    else
        echo "not ok - picture: $1"
        sed 's/^/  # /' <<<"$found"
    fi
}

self_tests() {
    local dir i
    dir=$(mktemp -d)
    draw docs/layers.txt >"$dir/now"
    self_test "accept the rooms" "$dir/now"
    sed 's|>internal/ompl<|>internal/ompl, or a longer name<|' "$dir/now" >"$dir/name"
    self_test "refuse a name wider than its box" "$dir/name"
    sed 's/>tests on several ranks</>tests on several ranks, or on so many that none finds room</' \
        "$dir/now" >"$dir/idea"
    self_test "refuse a text wider than its box" "$dir/idea"
    sed 's/\(<rect x="10" y="34" width="[0-9]*" height="\)[0-9]*/\1200/' "$dir/now" >"$dir/over"
    self_test "refuse a box over another one" "$dir/over"
    { cat docs/layers.txt
        for i in $(seq 12); do
            echo "12 internal/scalapack$i library $(printf 'a WWW and mmmm &c., %.0s' $(seq "$i"))"
            echo "$((i / 4)).4 beside$i program $(printf 'what is linked on its own %.0s' 1 2 3)"
        done; } >"$dir/table"
    draw "$dir/table" >"$dir/long"
    self_test "accept many long rooms on one level" "$dir/long"
    echo "12 word library $(printf 'w%.0s' $(seq 100))" >>"$dir/table"
    draw "$dir/table" >"$dir/word"
    self_test "refuse a word wider than any box" "$dir/word"
    rm -r "$dir"
}

case "${1:-}" in
--check) check docs/layers.txt docs/layers.svg >&2 ;;
--self-test)
    results=$(self_tests)
    printf '%s\n' "$results"
    ! grep -q '^not ok' <<<"$results"
    ;;
"")
    draw docs/layers.txt >docs/layers.svg
    check docs/layers.txt docs/layers.svg >&2
    ;;
*) hy_refuse "unknown argument $1" ;;
esac
