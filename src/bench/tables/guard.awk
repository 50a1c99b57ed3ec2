# SPDX-License-Identifier: Apache-2.0
# Turns the lines of bench/guard.sh into a table: medians of both states, and the median of the
# ratios within each turn with the interval of order statistics that contains it with 95 %; beside
# them the ratio of the fastest samples of all turns. Ends with 1 if something became slower.

function field(name,    text) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|[-0-9.e+]+)")) return ""
    text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", text)
    return text
}

# Sorts the numbers of a list into sorted[1..n]; returns n.
function sort(list,    n, i, j, t) {
    n = split(list, sorted, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && sorted[j - 1] + 0 > sorted[j] + 0; j--) {
            t = sorted[j]; sorted[j] = sorted[j - 1]; sorted[j - 1] = t
        }
    return n
}

function middle(n) {
    return n % 2 ? sorted[(n + 1) / 2] : (sorted[n / 2] + sorted[n / 2 + 1]) / 2
}

{
    case_of = field("bench") " " field("bytes")
    if (!(case_of in seen)) { seen[case_of] = 1; order[++cases] = case_of }
    us[field("turn"), case_of, field("state")] = field("median_us")
    best = field("min_us") + 0
    if (!((case_of, field("state")) in fastest) || best < fastest[case_of, field("state")])
        fastest[case_of, field("state")] = best
    if (field("turn") + 0 > turns) turns = field("turn") + 0
}

END {
    print "| case | base, us | now, us | ratio | 95 % | fastest | |"
    print "| --- | --: | --: | --: | --- | --: | --- |"
    slower = 0
    for (c = 1; c <= cases; c++) {
        base = now = ratios = ""
        for (t = 1; t <= turns; t++) {
            if (!((t, order[c], "base") in us) || !((t, order[c], "new") in us)) continue
            base = base " " us[t, order[c], "base"]
            now = now " " us[t, order[c], "new"]
            ratios = ratios " " us[t, order[c], "new"] / us[t, order[c], "base"]
        }
        n = sort(base); b = middle(n)
        n = sort(now); a = middle(n)
        n = sort(ratios)
        k = int((n - 1.96 * sqrt(n)) / 2)
        low = sorted[k < 1 ? 1 : k]; high = sorted[k < 1 ? n : n - k + 1]
        # Fewer than six turns have no interval of 95 %.
        verdict = n < 6 ? "too few turns" : low > 1.02 ? "slower" : high < 0.98 ? "faster" : ""
        if (verdict == "slower") slower = 1
        quickest = fastest[order[c], "base"] > 0 \
            ? sprintf("%.3f", fastest[order[c], "new"] / fastest[order[c], "base"]) : ""
        printf "| %s | %.3f | %.3f | %.3f | %.3f to %.3f | %s | %s |\n", order[c], b, a, \
            middle(n), low, high, quickest, verdict
    }
    exit slower
}
