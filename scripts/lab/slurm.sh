#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm of several nodes, all of them this machine, for as long as a command runs: for tests of
# `srun --mpi=pmix`. Everything is in a temporary folder and runs as this user; nothing is left, or
# if this script is killed, it is removed by the next one.
# Exits with the command's code, or with 77 and the reason when a Slurm cannot be had.
# Usage: slurm.sh [--nodes N] COMMAND..     the nodes are n1 to nN; 2 without --nodes
#        slurm.sh --probe                   can it be had? The reason, if not, on stderr
set -euo pipefail
source "$(dirname "$0")/../lib/setup.sh"
hy_help "$@"
cd "$OLDPWD"
folder=
children=()

cannot() {
    echo "hayate: no Slurm: $*" >&2
    exit 77
}

probe() {
    local missing=() plugins program
    for program in munged slurmctld slurmd srun; do
        command -v "$program" >/dev/null || missing+=("$program")
    done
    ((${#missing[@]} == 0)) ||
        cannot "missing: ${missing[*]} (Debian: apt-get install --no-install-recommends" \
            "slurmctld slurmd slurm-client munge slurm-wlm-basic-plugins)"
    plugins=$(dirname "$(find /usr/lib -name auth_munge.so -print -quit 2>/dev/null)")
    compgen -G "$plugins/mpi_pmix*.so" >/dev/null || cannot "its plugin mpi_pmix is not there"
}

# The first of $1 ports in a row that nobody listens at.
free_ports() {
    local first port try
    for try in {1..50}; do
        first=$((20000 + RANDOM % 10000))
        for ((port = first; port < first + $1; port++)); do
            ! (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null || continue 2
        done
        echo "$first"
        return
    done
    cannot "no free ports"
}

configure() { # configure NODES
    local host user node port
    host=$(hostname -s) user=$(id -un) port=$(free_ports $(($1 + 1)))
    cat <<END
ClusterName=hayate
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge
CredType=cred/munge
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd-%n.pid
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
TmpFS=$folder/tmp-%n
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
MailProg=/bin/true
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=2
PartitionName=all Nodes=n[1-$1] Default=YES MaxTime=INFINITE State=UP
END
    for ((node = 1; node <= $1; node++)); do
        echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + node)) CPUs=32"
    done
}

# In the background, and not for longer than this script lives.
run() {
    setpriv --pdeathsig KILL "$@" >>"$folder/output" 2>&1 &
    children+=($!)
    disown
}

make_folder() { # make_folder NODES
    local node
    folder=$(mktemp -d "${TMPDIR:-/tmp}/hayate-slurm-$$-XXXXXX")
    export SLURM_CONF=$folder/slurm.conf
    chmod 755 "$folder" # munged wants its socket to be reached by all
    mkdir -m 700 "$folder/munge"
    mkdir "$folder/run" "$folder/state"
    for ((node = 1; node <= $1; node++)); do mkdir "$folder/tmp-n$node" "$folder/spool-n$node"; done
    (umask 077; head -c 1024 /dev/urandom >"$folder/munge/key")
    configure "$1" >"$folder/slurm.conf"
}

start() { # start NODES
    local node try ready
    run munged --foreground --key-file="$folder/munge/key" --socket="$folder/run/munge" \
        --pid-file="$folder/run/munged.pid" --seed-file="$folder/munge/seed" \
        --log-file="$folder/munge/log"
    for try in {1..600}; do [ ! -S "$folder/run/munge" ] || break; sleep 0.05; done
    run slurmctld -D -i
    for ((node = 1; node <= $1; node++)); do run slurmd -D -N "n$node"; done
    for try in {1..600}; do
        ready=$(timeout 5 sinfo -h -N -o %T 2>/dev/null | grep -cx idle || true)
        ((ready < $1)) || return 0
        sleep 0.1
    done
    tail -n 5 "$folder"/output "$folder"/*.log "$folder/munge/log" >&2 || true
    cannot "its nodes do not come up"
}

# What steps have left: whoever has the file of the Slurm in folder $1 in its environment.
end_steps() {
    local file
    for file in $(grep -lsxzF "SLURM_CONF=$1/slurm.conf" /proc/[0-9]*/environ); do
        kill -KILL "${file//[!0-9]/}" 2>/dev/null || true
    done
}

# Of scripts that were killed; their daemons ended with them.
sweep() {
    local old pid
    for old in "${TMPDIR:-/tmp}"/hayate-slurm-*-*; do
        pid=${old##*/hayate-slurm-}
        pid=${pid%%-*}
        [[ $pid =~ ^[0-9]+$ && -O $old && ! -e /proc/$pid ]] || continue
        end_steps "$old"
        rm -rf "$old"
    done
}

stop() {
    [ -n "$folder" ] || return 0
    local child
    end_steps "$folder"
    for child in "${children[@]}"; do
        while kill -KILL "$child" 2>/dev/null; do sleep 0.01; done
    done
    rm -rf "$folder"
}

nodes=2
case ${1:-} in
--probe)
    probe
    exit 0
    ;;
--nodes)
    [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || hy_refuse "--nodes: expected a number"
    nodes=$2
    shift 2
    ;;
-*) hy_refuse "unknown option $1" ;;
esac
(($#)) || hy_refuse "expected a command"
probe
trap stop EXIT
trap 'exit 143' HUP INT QUIT TERM
sweep
make_folder "$nodes"
start "$nodes"
# A signal is heeded while `wait` waits, not while a command runs in the foreground.
status=0
"$@" <&0 &
wait $! || status=$?
exit "$status"
