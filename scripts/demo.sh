#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Solves a sparse system by conjugate gradients on 4 ranks: the Matrix Market file given, or else a
# 3-D Poisson problem. Installs what is missing (when root, else says what) and builds first.
# Usage: demo.sh [FILE.mtx [options of the example]]      RANKS=N: other than 4
set -euo pipefail
source "$(dirname "$0")/lib/setup.sh"
hy_help "$@"
matrix=()
if [ $# -gt 0 ] && [[ $1 != -* ]]; then
    matrix=(--matrix "$(cd "$OLDPWD" && realpath "$1")")
    [ -r "${matrix[1]}" ] || hy_die "demo.sh: cannot read $1"
    shift
fi
hy_need
hy_want libhwloc15
hy_build
if [ "${RANKS:-4}" -gt "$(nproc)" ]; then
    hy_say "${RANKS:-4} ranks share $(nproc) CPUs: while a rank waits for its turn on a CPU," \
        "others wait for its data, which counts as communication"
fi
exec scripts/hayate run -n "${RANKS:-4}" -- "$JAVA_HOME/bin/java" $(hy_java_options) \
    -cp "$(hy_examples_classpath)" io.hayate.examples.ConjugateGradient "${matrix[@]}" \
    --plot target/convergence.svg "$@"
