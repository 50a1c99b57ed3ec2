#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lays out what a build in target/ needs to run, without what built it: DIR/bin, DIR/lib. That is
# /opt/hayate of the image. Usage: image.sh DIR
set -euo pipefail
[ $# = 1 ] || { echo "image.sh: expected the directory to make" >&2; exit 2; }
to=$(realpath -m "$1")
cd "$(dirname "$0")/.."
version=$(sed -n '/<version>/{s/ *<version>\(.*\)<\/version>/\1/p;q}' pom.xml)
[ -x target/hayate-run ] && [ -e "target/hayate-$version.jar" ] ||
    { echo "image.sh: nothing has been built: scripts/build.sh" >&2; exit 1; }
if [ ! -e "$to/lib/hayate.jar" ] && { [ -e "$to/bin" ] || [ -e "$to/lib" ]; }; then
    echo "image.sh: $to has a bin or lib that does not belong to Hayate; name another directory" >&2
    exit 2
fi
rm -rf "$to/bin" "$to/lib"
mkdir -p "$to/bin" "$to/lib"
cp "target/hayate-$version.jar" "$to/lib/hayate.jar"
cp "target/hayate-$version-examples.jar" "$to/lib/examples.jar"
IFS=: read -r -a jars <target/examples-classpath.txt || true # no end of line
cp "${jars[@]}" "$to/lib"
cp target/hayate-run target/hayate-delegatee src/main/docker/* "$to/bin"
