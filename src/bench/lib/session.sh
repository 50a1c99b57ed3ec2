# SPDX-License-Identifier: Apache-2.0
# What the scripts that measure share. Sourced, never run. They set ROOT, BENCH_SRC, OUT, PACKAGES,
# ADAPTERS, INSTALL and BUILD before they call, and FAILED to 0; prepare() sets READY and SKIPPED.

. "$BENCH_SRC/lib/options.sh"

say() {
    echo "bench: $*" >&2
}

missing_packages() {
    local package
    for package in $PACKAGES; do
        dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
            printf '%s ' "$package"
    done
}

install_packages() {
    local missing
    command -v dpkg-query >/dev/null || { say "not Debian: peers are used where found"; return 0; }
    missing="$(missing_packages)"
    [ -n "$missing" ] || return 0
    if [ "$(id -u)" -ne 0 ] || [ "$INSTALL" = 0 ]; then
        say "not installed: $missing"
        say "to compare with them: apt-get install $missing"
        return 0
    fi
    say "installing $missing"
    # shellcheck disable=SC2086
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y \
        --no-install-recommends $missing; } >>"$OUT/log.txt" 2>&1 ||
        say "could not install all of them, see log.txt"
}

build_hayate() {
    [ "$BUILD" = 1 ] || return 0
    say "building Hayate"
    (
        . "$ROOT/scripts/lib/setup.sh"
        hy_need
        hy_build
    ) >>"$OUT/log.txt" 2>&1 </dev/null || fail "building Hayate"
}

environment() {
    local package
    echo "date=$(date -u +%Y-%m-%dT%H:%M:%SZ)"
    echo "commit=$(git -C "$ROOT" describe --always --dirty --abbrev=12 2>/dev/null || echo none)"
    echo "kernel=$(uname -srm)"
    echo "cpu=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    echo "cpus=$(nproc)"
    echo "threads_per_core=$(LC_ALL=C lscpu 2>/dev/null | sed -n 's/^Thread(s) per core: *//p')"
    echo "memory=$(sed -n 's/^MemTotal: *//p' /proc/meminfo)"
    echo "load_at_start=$(cut -d' ' -f1-3 /proc/loadavg)"
    echo "java=$(java -version 2>&1 | tr '\n' ';' | sed 's/;$//')"
    echo "gcc=$(gcc --version 2>/dev/null | head -n 1)"
    for package in $PACKAGES libucx0; do
        echo "package.$package=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null || echo none)"
    done
}

# Which adapters are usable: fills READY and SKIPPED (and writes the reasons down).
prepare() {
    local adapter code
    READY="" SKIPPED=0
    : >"$OUT/skipped.txt"
    for adapter in $ADAPTERS; do
        code=0
        "$BENCH_SRC/adapters/$adapter.sh" prepare >>"$OUT/log.txt" 2>"$OUT/reason.txt" || code=$?
        cat "$OUT/reason.txt" >>"$OUT/log.txt"
        if [ "$code" = 0 ]; then
            READY="$READY $adapter"
        else
            SKIPPED=$((SKIPPED + 1))
            echo "$adapter: $(tail -n 1 "$OUT/reason.txt")" | tee -a "$OUT/skipped.txt" |
                sed 's/^/bench: skipped /' >&2
            [ "$code" = 77 ] || FAILED=$((FAILED + 1))
        fi
    done
    rm -f "$OUT/reason.txt"
}

fail() {
    FAILED=$((FAILED + 1))
    echo "$*" >>"$OUT/failed.txt"
    say "FAILED: $* (see log.txt)"
}

# open_session: the folder of the results and what the adapters want to know of it.
open_session() {
    mkdir -p "$OUT"
    OUT="$(cd "$OUT" && pwd)"
    BENCH_BUILD="$OUT/build"
    BENCH_CACHE="${XDG_CACHE_HOME:-$HOME/.cache}/hayate/bench"
    BENCH_HAYATE="$ROOT/scripts/hayate"
    mkdir -p "$BENCH_BUILD" "$BENCH_CACHE"
    export ROOT BENCH_SRC BENCH_BUILD BENCH_CACHE BENCH_HAYATE
}

# summarise CLASS: has a program of src/bench/java write table, JSON and plots.
summarise() {
    (
        . "$ROOT/scripts/lib/setup.sh"
        exec "$(hy_find_jdk)/bin/java" -Djava.awt.headless=true -cp "$(hy_bench_classpath)" \
            "io.hayate.bench.$1" "$OUT"
    ) 2>>"$OUT/log.txt" || fail "writing the summary"
}
