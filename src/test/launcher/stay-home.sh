#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A remote shell that stays at home: with `mpirun --mca plm_rsh_agent THIS -H a:2,b:2` each name is
# a node of its own, all of them this machine. Its own name must not be among them: all daemons have
# it and would take themselves for that node. They must not share a folder: each has a TMPDIR.
# Usage: stay-home.sh [OPTION..] HOST COMMAND..
while [ "${1#-}" != "$1" ]; do shift; done
shift
TMPDIR=$(mktemp -d) || exit 1
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
trap 'kill "$daemon" 2>/dev/null' HUP INT TERM
sh -c "$*" &
daemon=$!
wait "$daemon"
status=$?
wait "$daemon" 2>/dev/null # a signal ends the first one early
exit "$status"
