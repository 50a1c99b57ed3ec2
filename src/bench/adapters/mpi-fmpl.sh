#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    compile_java mpi-fmpl FmplPlayer.java LineData.java Player.java
}

play() {
    java_run "$1" mpi-fmpl FmplPlayer "$2" "$3"
}

dispatch "$@"
