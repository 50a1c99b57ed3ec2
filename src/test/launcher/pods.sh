#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Starts the pods of an Indexed Job of Kubernetes as processes: each is a node of its own, has its
# number in the environment and a file of host names of its own. All are in one network, which has
# the interface lo, with a second address, and no way out. The name of the first pod is unknown to
# the others at first, as the cluster's names come late. Ends with the last failure; the pod DYING
# is killed at once.
# Usage: pods.sh JOB SERVICE PODS LATE_SECONDS DYING|none COMMAND.. (with $(INDEX))
set -eu
if [ -z "${PODS_ARE_INSIDE:-}" ]; then
    PODS_ARE_INSIDE=1 exec unshare --net --mount "$0" "$@"
fi
job=$1 service=$2 pods=$3 late=$4 dying=$5
shift 5
address=10.97.0.1
ip address add "$address/24" dev lo
ip link set lo up
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
started=()
for ((pod = 0; pod < pods; pod++)); do
    printf '127.0.0.1 localhost\n%s %s-%s.%s.default.svc.cluster.local %s-%s\n' \
        "$address" "$job" "$pod" "$service" "$job" "$pod" >"$work/hosts-$pod"
    HAYATE_NODE=pod-$pod JOB_COMPLETION_INDEX=$pod unshare --mount sh -c \
        'mount --bind "$0" /etc/hosts && exec "$@"' "$work/hosts-$pod" \
        "${@//\$(INDEX)/$pod}" &
    started+=($!)
done
[ "$dying" = none ] || kill -KILL "${started[$dying]}"
sleep "$late"
for ((pod = 0; pod < pods; pod++)); do
    echo "$address $job-0.$service" >>"$work/hosts-$pod"
done
status=0
for pid in "${started[@]}"; do
    wait "$pid" || status=$?
done
exit $status
