# SPDX-License-Identifier: Apache-2.0
# Set-up shared by the scripts; sourced, not run. Afterwards the working directory is the checkout's
# root and JAVA_HOME is a JDK of at least 17.
#   hy_help "$@"      --help and -h print the comment at the head of the script, and end it
#   hy_arguments MOST "$@"  the same; refuses options, and more than MOST arguments
#   hy_refuse TEXT..   ends the script with 2, and shows how it is called
#   hy_need [test]     what the build (and the tests) need: installed when root, else said
#   hy_want PACKAGE..  what only makes things better: installed when root, else left alone
#   hy_build [MVN..]   builds what is out of date
# HY_STAGE: goals that come after "package" and put all artefacts into the repository target/stage.

HY_SCRIPT=$(realpath "$0")
HY_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cd "$HY_ROOT"
HY_VERSION=$(sed -n '/<version>/{s/ *<version>\(.*\)<\/version>/\1/p;q}' pom.xml)
HY_JAR=$HY_ROOT/target/hayate-$HY_VERSION.jar
HY_STAGE=(deploy:deploy deploy:deploy-file@bom deploy:deploy-file@{mpi,spark}
    "-DaltDeploymentRepository=stage::file://$HY_ROOT/target/stage")

hy_say() {
    echo "hayate: $*" >&2
}

hy_die() {
    hy_say "$@"
    exit 1
}

# The comment at the head of the script, from the first line that contains $1.
hy_head() {
    sed -n '3,${/^#/!q; s/^# \?//p}' "$HY_SCRIPT" | sed -n "/$1/,\$p"
}

hy_help() {
    case ${1:-} in
    -h | --help) hy_head '^'; exit 0 ;;
    esac
}

hy_refuse() {
    echo "${HY_SCRIPT##*/}: $*" >&2
    hy_head Usage: >&2
    exit 2
}

hy_arguments() {
    local argument
    hy_help "${@:2}"
    for argument in "${@:2}"; do
        [[ $argument != -* ]] || hy_refuse "unknown option $argument"
    done
    (($# - 1 <= $1)) || hy_refuse "expected $1 arguments at most, not $(($# - 1))"
}

# Major version of the JDK in directory $1, 0 when there is none (a JRE is none).
hy_jdk_version() {
    local version=
    [ -x "$1/bin/javac" ] || { echo 0; return; }
    # Asking javac itself would start a JVM.
    [ ! -r "$1/release" ] || version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release")
    [ -n "$version" ] || version=$("$1/bin/javac" -version 2>&1 | sed 's/javac \([0-9]*\).*/\1/')
    echo "${version:-0}"
}

# A JDK of at least 17: JAVA_HOME, the one on the path, then what Debian has. Nothing when none.
hy_find_jdk() {
    local home
    for home in "${JAVA_HOME:-}" \
        "$(dirname "$(dirname "$(readlink -f "$(command -v javac || echo /)")")")" \
        /usr/lib/jvm/java-17-openjdk-* /usr/lib/jvm/*; do
        if [ -n "$home" ] && [ "$(hy_jdk_version "$home")" -ge 17 ]; then
            echo "$home"
            return
        fi
    done
}

# JDK 25 (or newer) for the second run of the tests: JAVA25_HOME or below /usr/lib/jvm.
hy_find_jdk25() {
    local home
    for home in "${JAVA25_HOME:-}" /usr/lib/jvm/*25* /usr/lib/jvm/*; do
        if [ -n "$home" ] && [ "$(hy_jdk_version "$home")" -ge 25 ]; then
            echo "$home"
            return
        fi
    done
}

hy_has_header() {
    echo "#include <$1>" | gcc -E -include stdarg.h -include stddef.h -include setjmp.h \
        -include stdint.h - >/dev/null 2>&1
}

hy_can_install() {
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null
}

# Waits for whoever else is installing.
hy_install() {
    local install=(apt-get install -o DPkg::Lock::Timeout=600 -y -q --no-install-recommends "$@")
    hy_say "installing $*"
    export DEBIAN_FRONTEND=noninteractive
    if ! "${install[@]}" >/dev/null 2>&1; then
        apt-get update -q >/dev/null || hy_say "apt-get update failed: is there a network?"
        "${install[@]}" >&2
    fi
}

hy_need() {
    local missing=()
    [ "$(uname -s)" = Linux ] || hy_die "this is $(uname -s); only Linux is supported"
    [ -n "$(hy_find_jdk)" ] || missing+=(openjdk-17-jdk-headless)
    command -v mvn >/dev/null || missing+=(maven)
    command -v gcc >/dev/null || missing+=(gcc)
    [ -e /usr/include/stdio.h ] || missing+=(libc6-dev)
    hy_has_header rdma/fabric.h || missing+=(libfabric-dev)
    hy_has_header infiniband/verbs.h || missing+=(libibverbs-dev)
    if [ "${1:-}" = test ]; then
        command -v make >/dev/null || missing+=(make)
        hy_has_header cmocka.h || missing+=(libcmocka-dev)
    fi
    if ((${#missing[@]})); then
        if ! hy_can_install; then
            hy_die "missing: ${missing[*]}. Install with: sudo apt-get install -y ${missing[*]}"
        fi
        hy_install "${missing[@]}" || hy_die "could not install ${missing[*]}"
    fi
    JAVA_HOME=$(hy_find_jdk)
    [ -n "$JAVA_HOME" ] || hy_die "no JDK 17 or newer: set JAVA_HOME"
    export JAVA_HOME
}

hy_want() {
    local package missing=()
    for package; do
        dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if hy_can_install && hy_install "${missing[@]}"; then
        return 0
    fi
    hy_say "goes on without ${missing[*]} (sudo apt-get install -y ${missing[*]})"
}

# True when the jar or the launcher is missing or older than a source.
hy_stale() {
    [ -e "$HY_JAR" ] && [ -x target/hayate-run ] && [ -e target/classpath.txt ] || return 0
    [ -n "$(find pom.xml src/build src/main src/mpi src/spark/java src/examples src/bench/java \
        src/bench/c -newer "$HY_JAR" -print -quit)" ]
}

# Quiet: only errors, and without the colour codes that Maven writes even into files. The callers'
# pipefail passes Maven's exit code on.
hy_mvn() {
    mvn -B -ntp -q "$@" 2>&1 | sed -u 's/\x1b\[[0-9;]*m//g'
}

# Says each step when it begins, with the seconds since the script began. Maven names one as
# "[INFO] --- compiler:3.14.0:compile (id) @ hayate ---".
hy_mvn_steps() {
    local line step='^\[INFO\] --- ([^ ]+) \(([^)]+)'
    mvn -B -ntp -Dstyle.color=never "$@" 2>&1 | while IFS= read -r line; do
        if [[ $line =~ $step ]]; then
            printf 'hayate: %4d s  %s (%s)\n' $SECONDS "${BASH_REMATCH[@]:1}" >&2
        elif [[ $line != "[INFO]"* ]]; then
            echo "$line"
        fi
    done
}

# Two scripts may build at once; the second waits and then finds everything built.
hy_build() {
    mkdir -p target
    exec 9>target/.lock
    flock 9
    if hy_stale; then
        hy_say "building$([ -e target/classpath.txt ] || echo "; the first time takes minutes")"
        # The jar plugin leaves a jar alone whose contents did not change; its age counts here.
        hy_mvn_steps package -DskipTests -Dmaven.javadoc.skip -Dmaven.source.skip "$@" &&
            touch "$HY_JAR" || hy_die "the build failed"
    fi
    exec 9>&-
}

# Options of the JVM that runs Hayate: from 24 on native access wants to be allowed.
hy_java_options() {
    [ "$(hy_jdk_version "$JAVA_HOME")" -ge 24 ] && echo --enable-native-access=ALL-UNNAMED || true
}

hy_classpath() {
    echo "$HY_JAR:$(cat target/classpath.txt)"
}

hy_examples_classpath() {
    echo "$HY_JAR:$HY_ROOT/target/examples-classes:$(cat target/examples-classpath.txt)"
}

# Of the programs of src/bench, which measure and draw.
hy_bench_classpath() {
    echo "$HY_JAR:$HY_ROOT/target/bench-classes:$(cat target/bench-classpath.txt)"
}
