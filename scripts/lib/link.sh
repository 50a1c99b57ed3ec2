#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# gcc with its object files in sorted order. The native plugin hands them over in the order of the
# directory, which differs between file systems, and with it the bytes of the library. Debug
# information is left in the objects: it is five sixths of a library, which each rank unpacks at its
# start. With NATIVE_DEBUG=1 it is linked; after a change of that, "mvn clean".
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
[ -n "${NATIVE_DEBUG:-}" ] || head+=(-Wl,--strip-debug)
exec "${CC:-gcc}" "${head[@]}" "${objects[@]}" "${tail[@]}"
