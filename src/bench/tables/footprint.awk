# SPDX-License-Identifier: Apache-2.0
# A table of footprint.jsonl: a line for each size and number of ranks, a column for each kind.
function field(name,    at, text) {
    at = match($0, "\"" name "\":\"?[^,\"}]*")
    text = substr($0, RSTART, RLENGTH)
    sub(".*:\"?", "", text)
    return at ? text : ""
}
{
    kind = field("as")
    place = sprintf("%9d %9d", field("bytes"), field("ranks"))
    if (!(kind in known)) { known[kind]; kinds[++columns] = kind }
    if (!(place in rows)) { rows[place]; order[++lines] = place }
    value[place, kind] = sprintf("%.0f / %.0f", field("memory_per_rank_kib"),
        field("page_tables_per_rank_kib"))
}
END {
    head = "| bytes | ranks |"; rule = "| --: | --: |"
    for (i = 1; i <= columns; i++) { head = head " " kinds[i] " |"; rule = rule " --: |" }
    print head; print rule
    for (i = 1; i <= lines; i++)
        for (j = i; j > 1 && order[j - 1] > order[j]; j--) {
            swap = order[j]; order[j] = order[j - 1]; order[j - 1] = swap
        }
    for (i = 1; i <= lines; i++) {
        split(order[i], words, " ")
        row = "| " words[1] " | " words[2] " |"
        for (j = 1; j <= columns; j++) row = row " " value[order[i], kinds[j]] " |"
        print row
    }
}
