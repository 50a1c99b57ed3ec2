#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
set -euo pipefail
share=$(mktemp -d)
trap 'rm -rf "$share"' EXIT
echo "from the host" >"$share/in"
rc=0
cat >"$share/command" <<'END'
cat in
echo "$1" >&2
echo "from the guest" >made
exit 7
END
scripts/lab/vm.sh run --share "$share" -- sh command "two  words" >"$share/out" 2>"$share/err" ||
    rc=$?
[ $rc = 7 ]
[ "$(cat "$share/out")" = "from the host" ]
[ "$(cat "$share/err")" = "two  words" ]
[ "$(cat "$share/made")" = "from the guest" ]
