# SPDX-License-Identifier: Apache-2.0
# The options of the scripts that measure. Sourced, never run. A script says which ones it has, and
# calls parse_options "$@"; its usage() prints the help. All have --out, --no-build and --help.

declare -A OPTION_VARIABLE=() OPTION_VALUE=() OPTION_PATTERN=() OPTION_EXPECTED=()
TAKES_REST=0 REST=() # whether what follows -- goes to REST

A_NUMBER='^[1-9][0-9]*$' UP_TO_99='^[1-9][0-9]?$'

# option NAME VARIABLE PATTERN EXPECTED..: sets the variable to its value, which must match.
option() {
    OPTION_VARIABLE[$1]=$2
    OPTION_PATTERN[$1]=$3
    OPTION_EXPECTED[$1]="${*:4}"
}

# flag NAME VARIABLE VALUE: sets the variable to this value.
flag() {
    OPTION_VARIABLE[$1]=$2
    OPTION_VALUE[$1]=$3
}

option --out OUT . a directory
flag --no-build BUILD 0

refuse() {
    echo "$*" >&2
    exit 2
}

parse_options() {
    local name value
    while [ $# -gt 0 ]; do
        name=$1
        shift
        case "$name" in
            -h|--help) usage; exit 0 ;;
            --) [ "$TAKES_REST" = 0 ] || { REST=("$@"); return 0; } ;;
        esac
        [ -n "${OPTION_VARIABLE[$name]:-}" ] || { usage >&2; exit 2; }
        if [ -n "${OPTION_EXPECTED[$name]:-}" ]; then
            [ $# -gt 0 ] || refuse "$name: expected ${OPTION_EXPECTED[$name]}"
            value=$1
            shift
            [[ "$value" =~ ${OPTION_PATTERN[$name]} ]] ||
                refuse "$name: expected ${OPTION_EXPECTED[$name]}, not '$value'"
        else
            value=${OPTION_VALUE[$name]}
        fi
        printf -v "${OPTION_VARIABLE[$name]}" %s "$value"
    done
}
