#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lays out what a build in target/ needs to run, without what built it: DIR/bin, DIR/lib. That is
# /opt/hayate of the image. Usage: image.sh DIR
set -euo pipefail
cd "$(dirname "$0")/.."
[ $# = 1 ] || { echo "image.sh: expected the directory to make" >&2; exit 2; }
version=$(sed -n '/<version>/{s/ *<version>\(.*\)<\/version>/\1/p;q}' pom.xml)
[ -x target/hayate-run ] && [ -e "target/hayate-$version.jar" ] ||
    { echo "image.sh: nothing has been built: scripts/build.sh" >&2; exit 1; }
rm -rf "$1/bin" "$1/lib"
mkdir -p "$1/bin" "$1/lib"
cp "target/hayate-$version.jar" "$1/lib/hayate.jar"
cp "target/hayate-$version-examples.jar" "$1/lib/examples.jar"
IFS=: read -r -a jars <target/examples-classpath.txt || true # no end of line
cp "${jars[@]}" "$1/lib"
cp target/hayate-run src/main/docker/* "$1/bin"
