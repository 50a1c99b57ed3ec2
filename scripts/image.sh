#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Lays out what a build in target/ needs to run, without what built it: DIR/bin, DIR/lib. It can be
# moved, and it is /opt/hayate of the image. DIR/lib/hayate.jar contains all that the command line
# needs. Usage: image.sh DIR
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_arguments 1 "$@"
(($# == 1)) || hy_refuse "expected the directory to make"
to=$(cd "$OLDPWD" && realpath -m "$1")
[ -x target/hayate-run ] && [ -e "target/hayate-$HY_VERSION-cli.jar" ] ||
    { echo "image.sh: nothing has been built: scripts/build.sh" >&2; exit 1; }
if [ ! -e "$to/lib/hayate.jar" ] && { [ -e "$to/bin" ] || [ -e "$to/lib" ]; }; then
    echo "image.sh: $to has a bin or lib that does not belong to Hayate; name another directory" >&2
    exit 2
fi
rm -rf "$to/bin" "$to/lib"
mkdir -p "$to/bin" "$to/lib"
cp "target/hayate-$HY_VERSION-cli.jar" "$to/lib/hayate.jar"
cp "target/hayate-$HY_VERSION-examples.jar" "$to/lib/examples.jar"
IFS=: read -r -a jars <target/examples-classpath.txt || true # no end of line
for jar in "${jars[@]}"; do
    case ${jar##*/} in
    jna-* | picocli-*) ;; # in hayate.jar
    *) cp "$jar" "$to/lib" ;;
    esac
done
# hayate run --mpi takes the jars from a directory next to the launcher.
mkdir "$to/bin/mpi"
cp "target/hayate-mpi-$HY_VERSION.jar" "$to/bin/mpi/hayate-mpi.jar"
ln -s ../../lib/hayate.jar "$to/bin/mpi/hayate.jar"
# hayate run --blacs takes the two libraries from where the launcher lies.
cp target/hayate-run target/hayate-delegatee target/libhayate.so target/libhayate-blacs.so \
    src/main/docker/* "$to/bin"
