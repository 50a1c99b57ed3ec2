#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs the recipes of src/examples/recipes as far as this machine can: Slurm with two nodes that are
# this machine, Docker with three nodes, and the folder of scripts/image.sh after it was moved.
# Kubernetes and Apptainer are checked only (docs/guide/nodes.md says how).
# The last line is "N passed, N failed, N skipped". Usage: recipes.sh [PATTERN of names]
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_arguments 1 "$@"
pattern=${1:-}
source scripts/lab/engine.sh
hy_need
hy_build
recipes=src/examples/recipes
passed=0 failed=0 skipped=0
work=$(mktemp -d /var/tmp/hayate-recipes.XXXXXX)
composed=

cleanup() {
    if [ -n "$composed" ]; then
        compose down --volumes --timeout 1 >/dev/null 2>&1 || true
        docker rmi -f hayate-recipe-node hayate-recipe >/dev/null 2>&1 || true
    fi
    hy_engine_stop
    rm -rf "$work"
}

# result NAME CODE FILE TEXT: passed if the code is 0 and the file has the text; 77: skipped.
result() {
    if (($2 == 77)); then
        skipped=$((skipped + 1))
        echo "SKIPPED $1: $(tail -n 1 "$3")"
    elif (($2 == 0)) && grep -q -- "$4" "$3"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED $1: exit code $2, expected 0 and '$4' in"
        tail -n 40 "$3" | sed 's/^/    /'
    fi
}

wanted() {
    [[ $1 == *"$pattern"* ]]
}

# The folder with a space in its name works where it was moved to, from another directory.
run_image() {
    local rc=0 name="a moved folder of image.sh"
    wanted "$name" || return 0
    scripts/image.sh "$work/first"
    mv "$work/first" "$work/moved here"
    (cd / && env -u HAYATE_RUN "$work/moved here/bin/hayate" run -n 2 -- \
        java -cp "$work/moved here/lib/*" io.hayate.examples.HelloRanks &&
        env -u HAYATE_RUN "$work/moved here/bin/hayate" info &&
        RANKS=2 "$work/moved here/bin/demo" --grid 10) >"$work/image" 2>&1 || rc=$?
    result "$name" $rc "$work/image" "Hello from rank 0 of 2"
    ! grep -q "Cannot\|NoClassDef" "$work/image" || result "$name: its words" 1 "$work/image" none
}

run_slurm() {
    local rc=0 name="Slurm's sbatch with PMIx"
    wanted "$name" || return 0
    hy_want slurmctld slurmd slurm-client munge slurm-wlm-basic-plugins libpmix2
    CLASSPATH=$(hy_examples_classpath) scripts/lab/slurm.sh --nodes 2 \
        sbatch --wait --export=ALL --output="$work/slurm" "$recipes/slurm/solver.sbatch" \
        io.hayate.examples.ConjugateGradient --grid 10 >"$work/sbatch" 2>&1 || rc=$?
    [ -s "$work/slurm" ] || cp "$work/sbatch" "$work/slurm"
    result "$name" $rc "$work/slurm" "converged"
}

compose() {
    if docker compose version >/dev/null 2>&1; then
        docker compose -p hayate-recipes -f $recipes/compose/compose.yaml "$@"
    else
        docker-compose -p hayate-recipes -f $recipes/compose/compose.yaml "$@"
    fi
}

# The images as users build them, but from what this build has made.
build_images() {
    scripts/image.sh "$work/context/image"
    cp Dockerfile "$work/context"
    docker build -q --build-arg BASE="$HY_IMAGE" --build-arg LABEL="$HY_LABEL" -t hayate-recipe \
        "$work/context" &&
        docker build -q --build-arg BASE=hayate-recipe -t hayate-recipe-node $recipes/node
}

run_docker() {
    local rc=0 name="three nodes of Docker Compose" image="the image"
    wanted "$name" || wanted "$image" || return 0
    hy_want docker-compose
    hy_engine && hy_engine_image && build_images >"$work/build" 2>&1 || rc=$?
    if ((rc != 0)); then
        [ -n "$HY_WHY" ] && echo "$HY_WHY" >"$work/build"
        result "$name" $((rc == 2 ? 77 : rc)) "$work/build" ""
        return
    fi
    docker run --rm --network none hayate-recipe sh -c 'id -un && hayate run -n 2 -- java \
        -cp "/opt/hayate/lib/*" io.hayate.examples.HelloRanks' >"$work/docker" 2>&1 || rc=$?
    result "$image: its user" $rc "$work/docker" "^hayate$"
    result "$image: two ranks" $rc "$work/docker" "Hello from rank 0 of 2"
    rc=0 composed=1
    NODE_IMAGE=hayate-recipe-node compose run --rm -T job >"$work/compose" 2>&1 || rc=$?
    result "$name" $rc "$work/compose" "converged"
}

trap cleanup EXIT
run_image
run_slurm
run_docker
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0))
