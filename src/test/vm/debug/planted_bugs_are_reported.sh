#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: host
# Who never reports anything is no witness: a module with one bug of each kind must fail. Lockdep
# ends with the first report of KASAN, and KASAN reports once: that one is last.
set -uo pipefail
build=$(mktemp -d)
trap 'rm -rf "$build"' EXIT
src/test/vm/module/build.sh "$build" --debug || exit
cat >"$build/plant" <<'END'
for bug in leak inversion shift use-after-free; do
    rc=0
    HY_LOST_MB=400 HY_LOST_SLAB_MB=400 bash /hayate/src/test/vm/module/guest.sh \
        "tests/planted/planted.ko bug=$bug" true >"said-$bug" 2>&1 || rc=$?
    echo "exit $rc" >>"said-$bug"
done
END
scripts/lab/vm.sh run --debug --limit 1500 --share "$build" -- bash plant
passed=0 failed=0

planted() { # planted BUG REPORT
    local said=$build/said-$1
    if grep -qx 'exit 1' "$said" && grep -qE "$2" "$said"; then
        echo "ok - $1: $(grep -m 1 -E "$2" "$said")"
        passed=$((passed + 1))
    else
        echo "not ok - $1: expected exit 1, and a report of $2"
        cat "$said"
        failed=$((failed + 1))
    fi
}

planted leak 'kmemleak: unreferenced object'
planted inversion 'WARNING: possible circular locking dependency detected'
planted shift 'UBSAN: shift-out-of-bounds'
planted use-after-free 'BUG: KASAN: (slab-)?use-after-free in planted'
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
