# SPDX-License-Identifier: Apache-2.0
# Turns the lines of bench/farm.sh into a table: medians over rounds, and ratios within each round.

function field(name,    text) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|[-0-9.e+]+)")) return ""
    text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", text)
    return text
}

function median(list,    values, n, i, j, t) {
    n = split(list, values, " ")
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j - 1] + 0 > values[j] + 0; j--) {
            t = values[j]; values[j] = values[j - 1]; values[j - 1] = t
        }
    return values[int((n + 1) / 2)]
}

function row(title, ours, other, limit,    round, mine, theirs, ratios) {
    for (round = 1; round <= rounds; round++) {
        if (!((ours, round) in us) || !((other, round) in us)) continue
        mine = mine " " us[ours, round]
        theirs = theirs " " us[other, round]
        ratios = ratios " " us[ours, round] / us[other, round]
    }
    if (ratios == "") {
        printf "| %s | %s | %s | not measured | | | %s |\n", title, ours, other, limit
        return
    }
    printf "| %s | %s | %s | %.3f | %.3f | %.2f | %s |\n", title, ours, other, median(mine),
        median(theirs), median(ratios), limit
}

{
    us[field("impl"), field("round")] = field("median_us")
    if (field("round") + 0 > rounds) rounds = field("round") + 0
}

END {
    print "| | this | beside | this, us | beside, us | ratio | wanted at most |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    row("farm, 8 ranks, 8 bytes", "hayate-java", "openmpi-c", 1.3)
    row("gather, 4 ranks, 8 bytes", "one-shot", "persistent", 1.5)
}
