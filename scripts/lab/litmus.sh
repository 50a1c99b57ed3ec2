#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs src/test/litmus by herd7 (opam install herdtools7; Debian has no package). Its README says
# what is shown. The last line is "N passed, N failed, N skipped".
# Usage: litmus.sh [DIRECTORY of the models, if herd7 does not find them]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
passed=0 failed=0
options=(${1:+-I "$1"})
if ! command -v herd7 >/dev/null; then
    files=(src/test/litmus/*.litmus)
    echo "SKIPPED litmus tests: herd7 is missing (opam install herdtools7)"
    echo "0 passed, 0 failed, ${#files[@]} skipped"
    exit 0
fi

# expect NAME Never|Sometimes FORM MODEL FILE: what herd7 says of the program.
expect() {
    local out
    out=$(herd7 "${options[@]}" -model "$4" "$5" 2>&1) || true
    if grep -q "^Observation .* $2 " <<<"$out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1, $3, by $4: expected $2; herd7 said:"
        head -n 8 <<<"$out" | sed 's/^/    /'
    fi
}

relaxed() {
    sed -e '/atomic_thread_fence/d' -e 's/memory_order_[a-z_]*/memory_order_relaxed/' "$1"
}

work=$(mktemp /tmp/hayate.XXXXXX.litmus)
trap 'rm "$work"' EXIT
for file in src/test/litmus/*.litmus; do
    name=$(basename "$file" .litmus)
    if [[ $(head -n 1 "$file") == AArch64* ]]; then
        expect "$name" Sometimes "as it is" aarch64.cat "$file"
        continue
    fi
    for model in rc11.cat c11_partialSC.cat; do
        expect "$name" Never "as it is" $model "$file"
    done
    relaxed "$file" >"$work"
    expect "$name" Sometimes "all relaxed" c11_partialSC.cat "$work"
done
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0))
