# SPDX-License-Identifier: Apache-2.0
# Turns lines "SERIES<TAB>what<TAB>n<TAB>value" of bench/growth.sh into a table: the exponent k of
# value ~ n^k, by least squares of the logarithms, over all n and over the upper half of them. Of
# several values for one n the smallest counts. The file of expectations before it (EXPECTED) has lines "SERIES<TAB>what<TAB>most<TAB>why".
BEGIN { FS = "\t" }

FNR == NR { most[$1 "\t" $2] = $3; why[$1 "\t" $2] = $4; next }

{
    key = $1 "\t" $2
    if (!(key in count)) order[++keys] = key
    if (!((key, $3) in at)) {
        at[key, $3] = ++count[key]
        x[key, count[key]] = $3
        y[key, count[key]] = $4
    }
    place = at[key, $3]
    if ($4 < y[key, place]) y[key, place] = $4
}

function exponent(key, from, to,    i, n, sx, sy, sxx, sxy, lx, ly) {
    for (i = from; i <= to; i++) {
        if (x[key, i] <= 0 || y[key, i] <= 0) continue
        lx = log(x[key, i]); ly = log(y[key, i])
        n++; sx += lx; sy += ly; sxx += lx * lx; sxy += lx * ly
    }
    if (n < 2 || n * sxx == sx * sx) return "-"
    return sprintf("%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx))
}

END {
    print "| with the number of | what | least n | there | most n | there | exponent | upper half |" \
        " at most | |"
    print "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= keys; k++) {
        key = order[k]
        split(key, names, "\t")
        n = count[key]
        upper = exponent(key, int(n / 2) + 1, n)
        grows = (key in most) && upper != "-" && upper > most[key] + 0.15
        printf "| %s | %s | %d | %.4g | %d | %.4g | %s | %s | %s | %s%s |\n", names[1], names[2],
            x[key, 1], y[key, 1], x[key, n], y[key, n], exponent(key, 1, n), upper,
            (key in most) ? most[key] : "-", why[key], grows ? ": **MORE THAN IT MUST**" : ""
        found += grows
    }
    printf "\n%d of %d grow more than they must.\n", found, keys
}
