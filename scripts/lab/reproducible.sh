#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Builds this checkout from scratch (target/ is removed first), and a copy of it in another folder,
# with another time zone, umask and language, and compares all artefacts byte by byte. Exits with 1
# if one differs, and says which files in it do.
# - ccache is off: with its setting base_dir it changes paths in debug information.
# - Jars contain the rights of files. Maven's archiver takes away the right of a group to write, so
#   umask 022 and 002 make the same jars; stricter ones make others.
# Usage: reproducible.sh
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 0 "$@"
hy_need
work=$(mktemp -d /var/tmp/hayate-again.XXXXXX)
trap 'rm -rf "$work"' EXIT

# differences JAR JAR
differences() {
    local side
    for side in 1 2; do
        mkdir -p "$work/jar/$side"
        (cd "$work/jar/$side" && "$JAVA_HOME/bin/jar" xf "${!side}")
    done
    if (cd "$work/jar" && diff -rq 1 2); then
        echo "the same files, but other rights, times or order"
    fi
    rm -r "$work/jar"
}

export CCACHE_DISABLE=1
umask 022
hy_mvn clean package -DskipTests -Dhayate.checks.skip=true
{ git ls-files -z && git ls-files -zo --exclude-standard; } | xargs -0 cp --parents -Pt "$work"
(umask 002 && cd "$work" && TZ=Asia/Tokyo LC_ALL=C \
    hy_mvn package -DskipTests -Dhayate.checks.skip=true)
rc=0
for file in target/hayate{,-mpi,-spark}-"$HY_VERSION"* \
    target/{bom,hayate-mpi,hayate-spark}/pom.xml; do
    if cmp "$file" "$work/$file"; then
        echo "the same: ${file#target/}"
    else
        rc=1
        [[ $file != *.jar ]] || differences "$HY_ROOT/$file" "$work/$file" | sed 's/^/    /'
    fi
done
exit $rc
