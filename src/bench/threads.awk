# SPDX-License-Identifier: Apache-2.0
# Turns the lines of bench/threads.sh into tables.

function field(name,    text) {
    if (!match($0, "\"" name "\":(\"[^\"]*\"|[-0-9.e+]+)")) return ""
    text = substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3)
    gsub(/"/, "", text)
    return text
}

function median(list, n,    values, i, j, t) {
    if (split(list, values, " ") != n || n == 0) return ""
    for (i = 2; i <= n; i++)
        for (j = i; j > 1 && values[j - 1] + 0 > values[j] + 0; j--) {
            t = values[j]; values[j] = values[j - 1]; values[j - 1] = t
        }
    return values[int((n + 1) / 2)]
}

function add(what, value) {
    lists[what] = lists[what] " " value
    counts[what]++
}

function show(what) {
    return what in counts ? median(lists[what], counts[what]) : ""
}

{
    name = field("impl") " " (field("as") == "processes" ? "processes" : field("path"))
    if (!(name in seen)) { seen[name] = 1; names[++count] = name }
    threads = field("threads")
    over = field("over")
    if (!(threads in known)) { known[threads] = 1; numbers[++kinds] = threads }
    key = field("bench") SUBSEP name SUBSEP threads
    add(key SUBSEP "min", field("min_us"))
    add(key SUBSEP "median", field("median_us"))
    add(key SUBSEP "p99", field("p99_us"))
    add(key SUBSEP "rate", field("messages_per_s") / 1e6)
    at[key SUBSEP field("round")] = field("median_us")
    if (field("round") + 0 > rounds) rounds = field("round") + 0
}

function ratio(bench, name, threads,    r, ours, its, n, list) {
    for (r = 1; r <= rounds; r++) {
        ours = at[bench SUBSEP "hayate-c thread" SUBSEP threads SUBSEP r]
        its = at[bench SUBSEP name SUBSEP threads SUBSEP r]
        if (ours > 0 && its > 0) { list = list " " its / ours; n++ }
    }
    return n ? sprintf("%.2f", median(list, n)) : "-"
}

END {
    print "## Half a round trip of 8 bytes and a flag over " over ", microseconds\n"
    print "| threads | series | min | median | p99 | times ours |"
    print "| --- | --- | --- | --- | --- | --- |"
    for (k = 1; k <= kinds; k++)
        for (i = 1; i <= count; i++) {
            key = "pingpong" SUBSEP names[i] SUBSEP numbers[k]
            if (show(key SUBSEP "median") != "")
                printf "| %s | %s | %.3f | %.3f | %.3f | %s |\n", numbers[k], names[i],
                    show(key SUBSEP "min"), show(key SUBSEP "median"), show(key SUBSEP "p99"),
                    ratio("pingpong", names[i], numbers[k])
        }
    print "\n## Puts or messages of all threads in one direction over " over ", millions a second\n"
    print "| threads | series | median |"
    print "| --- | --- | --- |"
    for (k = 1; k <= kinds; k++)
        for (i = 1; i <= count; i++) {
            key = "rate" SUBSEP names[i] SUBSEP numbers[k]
            if (show(key SUBSEP "rate") != "")
                printf "| %s | %s | %.4f |\n", numbers[k], names[i], show(key SUBSEP "rate")
        }
}
