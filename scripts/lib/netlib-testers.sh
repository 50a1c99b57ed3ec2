# shellcheck shell=bash disable=SC2034 # variables for callers
# SPDX-License-Identifier: Apache-2.0
# netlib's BLACS tester and ScaLAPACK's testers, as Debian's package scalapack-mpi-test has them:
# their data, and what they must have said; sourced.
#   hy_testers                    where they are; they write out.txt and err.txt
#   hy_tester_data FOLDER RANKS   their input
#   hy_check_blacs FOLDER RC, hy_check_scalapack FOLDER RC
#                                 print what is wrong and fail, unless all tests have passed
# Not what is there now: the package may be installed later in the script.
hy_testers=/usr/lib/$(uname -m)-linux-gnu/scalapack/openmpi-tests

# The testers' own input wants grids of four processes; with two they get grids of two, and LU,
# which has many, two of its matrices.
hy_tester_data() {
    local file data=/usr/share/scalapack
    mkdir -p "$1"
    cp -L $data/*.dat $data/BLACS/*.dat "$1"
    (($2 < 4)) || return 0
    for file in sdrv bsbr comb; do
        sed -i -E 's/^[0-9]+( +Number of grids)/3\1/; s/^[0-9 ]+(NPROW)/2 1 1  \1/
            s/^[0-9 ]+(NPCOL)/1 2 1  \1/' "$1/$file.dat"
    done
    sed -i -E 's/^4(\s+number of p)/2\1/; s/^[0-9 ]+(\s+values of P)/2 1\1/
        s/^[0-9 ]+(\s+values of Q)/1 2\1/' "$1/LU.dat"
}

# The tester's last act is BLACS_ABORT. Each operation of each type has a line with its counts;
# there are no combines of doubles in it.
hy_check_blacs() {
    local groups
    groups=$(grep -Ec 'TESTS; +[1-9][0-9]* PASSED.* 0 FAILED' "$1/out.txt" || true)
    if grep 'MPI was called' "$1/err.txt"; then return 1; fi
    if grep 'TESTS;' "$1/out.txt" | grep -v ' 0 FAILED'; then return 1; fi
    if grep '^ *FAILED' "$1/out.txt"; then return 1; fi
    ((groups == 22)) || { echo "$groups groups of tests, expected 22"; return 1; }
    grep -q 'DONE BLACS_GRIDEXIT' "$1/out.txt" || { echo "it did not reach its end"; return 1; }
    (($2 == 255)) || { echo "BLACS_ABORT did not end it"; return 1; }
}

hy_check_scalapack() {
    if grep 'MPI was called\|BLACS ERROR' "$1/err.txt"; then return 1; fi
    grep -Eq '^ +[1-9][0-9]* tests completed and passed' "$1/out.txt" ||
        { echo "no test has passed"; return 1; }
    if grep -E '^ +[1-9][0-9]* tests completed and failed' "$1/out.txt"; then return 1; fi
    (($2 == 0))
}
