#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds a copy of this checkout in another folder, with another time zone, umask and language, and
# compares its artefacts with those of target/, byte by byte. Exits with 1 if one differs.
# Usage: reproducible.sh
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_need
work=$(mktemp -d /var/tmp/hayate-again.XXXXXX)
trap 'rm -rf "$work"' EXIT
hy_mvn package -DskipTests -Dhayate.checks.skip=true
{ git ls-files -z && git ls-files -zo --exclude-standard; } | xargs -0 cp --parents -Pt "$work"
(umask 027 && cd "$work" && TZ=Asia/Tokyo LC_ALL=C \
    hy_mvn package -DskipTests -Dhayate.checks.skip=true)
rc=0
for file in target/hayate-"$HY_VERSION"*; do
    if cmp "$file" "$work/$file"; then
        echo "the same: ${file#target/}"
    else
        rc=1
    fi
done
exit $rc
