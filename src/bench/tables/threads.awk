# SPDX-License-Identifier: Apache-2.0
# Turns the lines of bench/threads.sh into tables; with short=1 those of the medians only, with a
# column for each number of threads.

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
    return n % 2 ? values[(n + 1) / 2] : (values[n / 2] + values[n / 2 + 1]) / 2
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
    bytes = field("bytes")
    over = field("over")
    if (!(bytes in sized)) { sized[bytes] = 1; sizes[++lengths] = bytes }
    if (!(threads in known)) { known[threads] = 1; numbers[++kinds] = threads }
    key = field("bench") SUBSEP name SUBSEP bytes SUBSEP threads
    add(key SUBSEP "min", field("min_us"))
    add(key SUBSEP "median", field("median_us"))
    add(key SUBSEP "p99", field("p99_us"))
    add(key SUBSEP "rate", field("messages_per_s") / 1e6)
    at[key SUBSEP field("round")] = field("median_us")
    if (field("round") + 0 > rounds) rounds = field("round") + 0
}

function ratio(bench, name, bytes, threads,    r, ours, its, n, list) {
    for (r = 1; r <= rounds; r++) {
        ours = at[bench SUBSEP "hayate-c thread" SUBSEP bytes SUBSEP threads SUBSEP r]
        its = at[bench SUBSEP name SUBSEP bytes SUBSEP threads SUBSEP r]
        if (ours > 0 && its > 0) { list = list " " its / ours; n++ }
    }
    return n ? sprintf("%.2f", median(list, n)) : "-"
}

function rows(bench, what,    b, k, i, key) {
    for (b = 1; b <= lengths; b++)
        for (k = 1; k <= kinds; k++)
            for (i = 1; i <= count; i++) {
                key = bench SUBSEP names[i] SUBSEP sizes[b] SUBSEP numbers[k]
                if (show(key SUBSEP what) != "") row(bench, key, sizes[b], numbers[k], names[i])
            }
}

function row(bench, key, bytes, threads, name) {
    printf "| %s | %s | %s |", bytes, threads, name
    if (bench == "rate") printf " %.4f |\n", show(key SUBSEP "rate")
    else printf " %.3f | %.3f | %.3f | %s |\n", show(key SUBSEP "min"),
        show(key SUBSEP "median"), show(key SUBSEP "p99"), ratio(bench, name, bytes, threads)
}

function three(value) { # digits, or more, without an exponent
    return value == "" ? "" : sprintf(value >= 100 ? "%.0f" : "%.3g", value)
}

function medians(bench, what,    b, i, k, key, line, some) {
    line = "| bytes | series |"
    for (k = 1; k <= kinds; k++) line = line " " numbers[k] (numbers[k] == 1 ? " thread |" : " |")
    print line
    gsub(/[^|]+/, " --- ", line)
    print line
    for (b = 1; b <= lengths; b++)
        for (i = 1; i <= count; i++) {
            line = "| " sizes[b] " | " names[i] " |"
            some = 0
            for (k = 1; k <= kinds; k++) {
                key = bench SUBSEP names[i] SUBSEP sizes[b] SUBSEP numbers[k]
                if (show(key SUBSEP what) != "") some = 1
                line = line " " three(show(key SUBSEP what)) " |"
            }
            if (some) print line
        }
}

function short_tables() {
    print "Half a round trip of data and a flag over " over ", microseconds.\n"
    medians("pingpong", "median")
    print "\nPuts or messages of all threads in one direction over " over ", millions a second.\n"
    medians("rate", "rate")
}

END {
    if (short) { short_tables(); exit }
    print "## Half a round trip of data and a flag over " over ", microseconds\n"
    print "| bytes | threads | series | min | median | p99 | times ours |"
    print "| --- | --- | --- | --- | --- | --- | --- |"
    rows("pingpong", "median")
    print "\n## Puts or messages of all threads in one direction over " over ", millions a second\n"
    print "| bytes | threads | series | median |"
    print "| --- | --- | --- | --- |"
    rows("rate", "rate")
}
