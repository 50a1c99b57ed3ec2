#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
. "$(dirname "$0")/common.sh"

prepare() {
    compile_java hayate-java HayatePlayer.java
}

play() {
    java_run "$1" hayate-java HayatePlayer "$2" "$3"
}

dispatch "$@"
