#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Tests libhayate-blacs.so with programs of others, as Debian's package scalapack-mpi-test has them:
# netlib's BLACS tester in C and Fortran, and ScaLAPACK's testers of linear equations, least squares
# and eigenvalues over the unmodified libscalapack-openmpi. Every function of MPI is replaced by one
# that aborts; the nine that the BLACS tester calls itself run over FMPL (src/test/c/netlib).
# Prints failures and, last, "N passed, N failed, N skipped".
# Usage: blacs.sh [PATTERN]     PATTERN: only tests whose name contains it, as "BLACS C, 4 ranks"
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
source scripts/lib/pool.sh
source scripts/lib/netlib-testers.sh
pattern=${1:-}
hy_need
hy_want scalapack-mpi-test openmpi-bin mpich
hy_build

out=$HY_ROOT/target/blacs libraries=/usr/lib/$(gcc -dumpmachine)
tester_mpi=$HY_ROOT/target/ctest/plain/bin/netlib/mpi.so
# What gfortran has buffered is lost when a process is killed.
export GFORTRAN_UNBUFFERED_PRECONNECTED=y OMPI_ALLOW_RUN_AS_ROOT=1
export OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

# no_mpi FILE NAME..: a library with all functions of MPI but these, each of which aborts.
no_mpi() {
    local file=$1 library
    shift
    for library in libmpi.so.40 libmpi_mpifh.so.40; do
        nm -D --defined-only "$libraries/$library"
    done | awk '$2 ~ /[TW]/ && $3 ~ /^(P?MPI_[A-Za-z_0-9]+|p?mpi_[a-z_0-9]+_)$/ { print $3 }' |
        sort -u | grep -vxF -e "$(printf '%s\n' none "$@")" |
        awk 'BEGIN { print "#include <stdio.h>\n#include <unistd.h>"
            print "static void called(const char *name) {"
            print "    fprintf(stderr, \"MPI was called: %s\\n\", name); _exit(99); }" }
            { printf "void %s(void) { called(\"%s\"); }\n", $0, $0 }' >"$out/no_mpi.c"
    gcc -O1 -fPIC -shared "$out/no_mpi.c" -o "$file"
}

build_libraries() {
    no_mpi "$out/no_mpi.so"
    no_mpi "$out/little_mpi.so" mpi_{abort,comm_dup,comm_rank,comm_size,init,initialized,recv}_ \
        mpi_{send,type_size}_
    make -s -f scripts/lib/ctest.mk VARIANT=plain FLAGS=-O2 "${tester_mpi#"$HY_ROOT/"}"
}

# hydra believes that these names are nodes, and the runtime believes it: they have a network only.
# Each would have all processors, so its ranks must not poll.
on_nodes="mpiexec.hydra -launcher fork -hosts left,right"

# run_one NAME RANKS PRELOADS CHECK PROGRAM [OPTION|SETTING=VALUE|LAUNCHER]..
run_one() {
    local name=$1 ranks=$2 preloads=$3 check=$4 program=$5 settings=() rc=0 each why
    local how=("$HY_ROOT/target/hayate-run" --blacs -x LD_PRELOAD="$preloads" -n "$ranks")
    shift 5
    for each; do
        case $each in
        --*) how+=("$each") ;;
        *=*) settings+=("$each") ;;
        *) read -ra how <<<"$each"
            how+=(-n "$ranks" env OPENBLAS_NUM_THREADS=1
            LD_PRELOAD="$HY_ROOT/target/libhayate-blacs.so:$preloads") ;;
        esac
    done
    local directory=$out/${name//[^A-Za-z0-9]/_}
    hy_tester_data "$directory" "$ranks"
    (cd "$directory" && exec setpriv --pdeathsig TERM env "${settings[@]}" \
        timeout -k 5 300 "${how[@]}" "$hy_testers/$program" >out.txt 2>err.txt </dev/null) || rc=$?
    if why=$($check "$directory" $rc); then
        hy_pool_count 1 0 0
    else
        hy_pool_count 0 1 0
        echo "FAILED $name: $why; exit $rc, see ${directory#"$HY_ROOT/"}"
        tail -n 5 "$directory/out.txt" "$directory/err.txt" | sed 's/^/    /'
    fi
}

# The same in the background, if the name is wanted.
run() {
    [[ $1 != *"$pattern"* ]] || hy_pool_run run_one "$@"
}

# Our library has all names of netlib's BLACS in libscalapack, and libhayate.so has none of them.
check_names() {
    local wanted missing extra
    wanted=$(nm -D --defined-only "$libraries/libscalapack-openmpi.so.2.2" | awk '{ print $3 }' |
        grep -xE 'C?(blacs_[a-z]+|[isdcz](ge|tr)(sd|rv|bs|br)2d|[isdcz]g(sum|amx|amn)2d)_?' |
        grep -xE 'C.*[^_]|[^C].*_' | sort -u)
    missing=$(comm -23 <(echo "$wanted") \
        <(nm -D --defined-only target/libhayate-blacs.so | awk '{ print $3 }' | sort))
    extra=$(comm -12 <(echo "$wanted") \
        <(nm -D --defined-only target/libhayate.so | awk '{ print $3 }' | sort))
    if [ -z "$missing" ] && [ -z "$extra" ] && (($(wc -l <<<"$wanted") >= 138)); then
        hy_pool_count 1 0 0
    else
        hy_pool_count 0 1 0
        echo "FAILED names: missing" $missing "; in libhayate.so" $extra
    fi
}

run_all() {
    local tester=$tester_mpi:$out/little_mpi.so ranks each
    # The grids differ by the number of ranks, and the ways of data by how the ranks are started.
    for ranks in 2 4 6; do
        run "BLACS C, $ranks ranks" $ranks "$tester" hy_check_blacs xCbtest
    done
    run "BLACS C, 4 tasks" 4 "$tester" hy_check_blacs xCbtest --pvas
    run "BLACS C, 4 ranks over ofi" 4 "$tester" hy_check_blacs xCbtest HAYATE_NET_LOCAL=ofi \
        HAYATE_WAIT=block
    # Fortran has other names for the same functions.
    run "BLACS Fortran, 4 ranks" 4 "$tester" hy_check_blacs xFbtest
    run "BLACS Fortran, 2 tasks" 2 "$tester" hy_check_blacs xFbtest --pvas
    run "BLACS C, 4 ranks on 2 nodes" 4 "$tester" hy_check_blacs xCbtest "$on_nodes" \
        HAYATE_WAIT=block
    for each in dlu zlu dllt dqr dsep; do
        run "ScaLAPACK $each, 4 ranks" 4 "$out/no_mpi.so" hy_check_scalapack x$each
    done
    run "ScaLAPACK dqr, 4 ranks, mpirun" 4 "$out/no_mpi.so" hy_check_scalapack xdqr mpirun
    run "ScaLAPACK dqr, 4 ranks, mpiexec" 4 "$out/no_mpi.so" hy_check_scalapack xdqr mpiexec.mpich
    run "ScaLAPACK dlu, 4 ranks on 2 nodes" 4 "$out/no_mpi.so" hy_check_scalapack xdlu \
        "$on_nodes" HAYATE_WAIT=block
    run "ScaLAPACK dlu, 4 tasks" 4 "$out/no_mpi.so" hy_check_scalapack xdlu --pvas
    run "ScaLAPACK dqr, 4 ranks over ofi" 4 "$out/no_mpi.so" hy_check_scalapack xdqr \
        HAYATE_NET_LOCAL=ofi
}

hy_pool_start target/blacs/pool
if [ -x "$hy_testers/xCbtest" ] && [ -e "$libraries/libscalapack-openmpi.so.2.2" ]; then
    build_libraries
    check_names
    run_all
else
    echo "SKIPPED netlib's testers: package scalapack-mpi-test is missing"
    run() { hy_pool_count 0 0 1; }
    run_all
fi
hy_pool_end
