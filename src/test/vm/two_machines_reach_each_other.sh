#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/server" <<'END'
set -e
ibv_rc_pingpong -d rxe0 -g 1 -n 100 -c &
until ss -ltn | grep -q :18515; do
    kill -0 $!
    sleep 0.1
done
touch listens
wait $!
END
cat >"$folder/client" <<'END'
set -e
until [ -e listens ]; do
    sleep 0.1
done
ibv_rc_pingpong -d rxe0 -g 1 -n 100 -c hayate-0
hostname
END
said=$(scripts/lab/vm.sh pair --share "$folder" -- bash server -- bash client)
echo "$said"
grep -q '^0: 100 iters' <<<"$said"
grep -q '^1: 100 iters' <<<"$said"
grep -qx '1: hayate-1' <<<"$said"

# One that fails is not waited for by the other.
rc=0
scripts/lab/vm.sh pair --share "$folder" -- sh -c 'exit 3' -- sleep 1000 || rc=$?
[ $rc = 3 ]
