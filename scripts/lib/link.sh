#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gcc with its object files in sorted order. The native plugin hands them over in the order of the
# directory, which differs between file systems, and with it the bytes of the library.
set -euo pipefail
export LC_ALL=C
head=() objects=() tail=()
for arg in "$@"; do
    if [[ $arg == *.o && $arg != -* ]]; then
        objects+=("$arg")
    elif ((${#objects[@]} == 0)); then
        head+=("$arg")
    else
        tail+=("$arg")
    fi
done
mapfile -t objects < <(printf '%s\n' "${objects[@]}" | sort)
exec "${CC:-gcc}" "${head[@]}" "${objects[@]}" "${tail[@]}"
