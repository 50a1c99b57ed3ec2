# SPDX-License-Identifier: Apache-2.0
# Makes hayate/fmpl.f90. Usage: awk -f generate.awk buffers.txt fmpl.f90
# A line "! generate WHAT" of fmpl.f90 is replaced by what follows from the table buffers.txt: for
# each function the interface of C (bindings); the generic name for sizes of both kinds (generics);
# its procedures (procedures), which pass addresses to C. Arrays of sizes of 4 bytes go to the
# function of C for old programs, with an underscore behind its name; all other sizes are converted
# to 8 bytes.

function kind_of(name) {
    if (name ~ /^(buf|in|out|work)$/) return "memory"
    if (name ~ /(sizes|offsets|counts)$/) return "list"
    if (name ~ /^(size|count|block|stride)$/) return "size"
    return name ~ /^(received|request)$/ ? name : "integer"
}

# A statement, continued where it is wider than 100 columns.
function put(indent, text,    line, at, piece) {
    line = sprintf("%*s", indent, "")
    while ((at = index(text, ", ")) || text != "") {
        piece = at ? substr(text, 1, at + 1) : text
        text = substr(text, length(piece) + 1)
        if (length(line piece) > 99) {
            print line "&"
            line = sprintf("%*s", indent + 4, "")
        }
        line = line piece
    }
    print line
}

function add(name, keeps, arguments) {
    names[++functions] = name
    keeps_of[functions] = keeps
    arguments_of[functions] = arguments
}

# Sets the arguments of function f: argument[1..n], kind[], marked[]; and has[kind].
function take(f,    i) {
    split("", has)
    n = split(arguments_of[f], argument, " ")
    for (i = 1; i <= n; i++) {
        marked[i] = argument[i] ~ /^[<?]/ ? substr(argument[i], 1, 1) : ""
        sub(/^[<?]/, "", argument[i])
        kind[i] = kind_of(argument[i])
        has[kind[i]] = 1
        if (kind[i] == "size") size = argument[i]
    }
    is_section = names[f] ~ /_section$/
}

# All arguments as a list, of which "form" says how: names, or expressions for a call.
function list(form,    i, text) {
    for (i = 1; i <= n; i++) {
        if (form != "names" && form != "wide" && is_section && kind[i] == "size") continue
        text = text expression(i, form) ", "
    }
    return text "ier"
}

function expression(i, form) {
    if (form == "names") return argument[i]
    if (form == "wide") return kind[i] == "size" ? "int(" argument[i] ", c_int64_t)" : \
        kind[i] == "received" ? "length" : argument[i]
    if (form == "dummies") return is_section && kind[i] == "memory" ? "place" : argument[i]
    if (kind[i] == "size" && form == 8) return "int(" argument[i] ", c_size_t)"
    if (kind[i] == "list") return "address_of(" argument[i] ")"
    if (kind[i] != "memory") return argument[i]
    if (is_section) return "section_of(c_loc(" argument[i] "), block, stride, count)"
    if (marked[i] == "?") return "memory_of(" argument[i] ", " size ")"
    return (argument[i] == "buf" ? "c_loc(" : "address_of(") argument[i] ")"
}

function type_for_c(i, bytes) {
    if (kind[i] == "memory" && is_section) return "type(section), intent(in) :: place"
    if (kind[i] == "memory" || kind[i] == "list") return "type(c_ptr), value :: " argument[i]
    if (kind[i] == "received" || kind[i] == "request")
        return "integer(c_int64_t), intent(inout) :: " argument[i]
    if (bytes == 4) return "integer(c_int), intent(in) :: " argument[i]
    return "integer(" (kind[i] == "size" ? "c_size_t" : "c_int") "), value :: " argument[i]
}

function binding(f, bytes,    i) {
    put(8, "subroutine c_" names[f] (bytes == 4 ? "_4" : "") "(" list("dummies") ") bind(C, " \
        "name='fmpl_" names[f] (bytes == 4 ? "_" : "") "')")
    put(12, "import")
    for (i = 1; i <= n; i++)
        if (!is_section || kind[i] != "size") put(12, type_for_c(i, bytes))
    put(12, "integer(c_int), intent(out) :: ier")
    put(8, "end subroutine")
}

function type_of(f, i, bytes,    number) {
    number = bytes == 4 ? "integer(c_int32_t), " : "integer(c_int64_t), "
    if (kind[i] == "memory")
        return "type(*), dimension(..), target, " (keeps_of[f] ? "asynchronous, " : "") \
            "intent(" (marked[i] == "<" ? "in" : "inout") ")"
    if (kind[i] == "size") return number "intent(in)"
    if (kind[i] == "list") return number "dimension(..), target, intent(in)"
    if (kind[i] == "received") return number "intent(out)"
    return kind[i] == "request" ? "integer(c_int64_t), intent(out)" : "integer(c_int), intent(in)"
}

# Calls C when all memory is contiguous. A section is not: its first element is passed.
function call_c(f, bytes,    i) {
    if (has["request"]) put(8, "request = FMPL_REQUEST_NULL")
    if (has["received"]) put(8, "received = 0")
    for (i = 1; i <= n && !is_section; i++)
        if (kind[i] == "memory" || kind[i] == "list")
            put(8, "if (.not. usable(" argument[i] ", ier)) return")
    put(8, "call c_" names[f] (bytes == 4 ? "_4" : "") "(" list(bytes) ")")
}

# The same with sizes of 8 bytes.
function call_wide(f) {
    if (has["received"]) put(8, "integer(c_int64_t) :: length")
    put(8, "call " names[f] "_8(" list("wide") ")")
    if (has["received"])
        put(8, "received = int(min(length, int(huge(received), c_int64_t)), c_int32_t)")
}

function procedure(f, bytes,    i) {
    put(4, "subroutine " names[f] "_" bytes "(" list("names") ")")
    for (i = 1; i <= n; i++) put(8, type_of(f, i, bytes) " :: " argument[i])
    put(8, "integer(c_int), intent(out) :: ier")
    if (bytes == 8 || has["list"]) call_c(f, bytes)
    else call_wide(f)
    put(4, "end subroutine")
    print ""
}

function generic(name) {
    put(4, "interface fmpl_" name)
    put(8, "module procedure " name "_4, " name "_8")
    put(4, "end interface")
    put(4, "private :: c_" name (has["list"] ? ", c_" name "_4" : "") ", " name "_4, " name "_8")
}

function generate(what,    f) {
    for (f = 1; f <= functions; f++) {
        take(f)
        if (what == "bindings") {
            binding(f, 8)
            if (has["list"]) binding(f, 4)
        } else if (what == "generics") generic(names[f])
        else {
            procedure(f, 4)
            procedure(f, 8)
        }
    }
}

NR == FNR && /^[a-z]/ {
    name = $1
    forms = $2
    sub(/^[a-z_]+ +[a-z]+ +/, "")
    add(name, forms == "keeps", $0)
    gsub(/ (received|\?work)/, "")
    if (forms == "both") add("i" name, 1, $0 " request")
}
NR == FNR { next }
/^ *! generate / { generate($3); next }
{ print }
