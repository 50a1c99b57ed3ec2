# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# Boots the virtual machine for one command; sourced after vm-image.sh.
#   hy_vm_run NETWORK SHARE LIMIT COMMAND [ARGUMENT..]
#             NETWORK is as in src/test/vm/guest/network.sh, or nothing; 0 and 1 are joined by the
#             sockets in HY_VM_WIRE
#   hy_vm_pair SHARE LIMIT COMMAND [ARGUMENT..] -- COMMAND [ARGUMENT..]
# Both are called last: they leave traps. Guest and host talk through a folder, /lab inside:
# command, network, out, err, and rc. Only rc tells how the command ended: QEMU's own status is 0
# for a guest that crashed, too.
# no_timer_check: on a busy host, the test of the timer at boot would fail.
# softlockup_panic: once in some hundred runs the two emulated processors wait for each other for
# ever, inside the kernel. One that has hung for two minutes ends itself.
# Without erms the kernel clears and copies pages by words: emulated, "rep movsb" goes by bytes.
HY_VM_WIRE='' HY_VM_MACHINE=(-smp 2 -cpu "max,-erms,-fsrm" -m 3072)

hy_vm_run() {
    local rc=0
    lab=$(mktemp -d "${TMPDIR:-/tmp}/hayate-vm.XXXXXX")
    trap 'rm -rf "$lab"' EXIT
    echo -n "$1" >"$lab/network"
    touch "$lab/out" "$lab/err"
    printf 'cd %s\n' "$([ -n "$2" ] && echo /share || echo /hayate)" >"$lab/command"
    printf '%q ' "${@:4}" >>"$lab/command"
    hy_vm_boot "$lab" "$1" "$2" "$3" || rc=$?
    hy_vm_verdict "$lab" "$rc" "$3"
}

# Passes on what the command prints, while it does. 124 or 137: killed after LIMIT seconds.
hy_vm_boot() { # hy_vm_boot LAB NETWORK SHARE LIMIT
    local rc=0 qemu devices=(-device virtio-rng-pci)
    hy_vm_share lab "$1"
    hy_vm_share hayate "$HY_ROOT" ,readonly=on
    [ -z "$3" ] || hy_vm_share share "$3"
    hy_vm_wire "$2"
    cp src/test/vm/guest/init.sh "$1/init"
    (cd "$1" && cpio -o -H newc --quiet <<<init) | cat "$HY_VM_INITRAMFS" - >"$1/initramfs"
    # The machine ends with this shell, however that ends.
    setpriv --pdeathsig TERM timeout -k 5 "$4" \
        qemu-system-x86_64 -accel tcg "${HY_VM_MACHINE[@]}" -nodefaults -no-reboot \
        -display none -serial "file:$1/console" "${devices[@]}" \
        -drive "file=${HY_VM//,/,,}/root.ext2,if=virtio,format=raw,readonly=on" \
        -kernel "$HY_VM_KERNEL" -initrd "$1/initramfs" -append "console=ttyS0 quiet panic=-1 \
            oops=panic softlockup_panic=1 watchdog_thresh=60 mitigations=off nokaslr \
            no_timer_check" </dev/null >"$1/qemu" 2>&1 &
    qemu=$!
    tail -s 0.1 -f -c +1 --pid=$qemu "$1/out" &
    tail -s 0.1 -f -c +1 --pid=$qemu "$1/err" >&2 &
    wait $qemu || rc=$?
    wait
    return $rc
}

# Both add to devices of the caller.
hy_vm_share() { # hy_vm_share PLACE DIRECTORY [OPTIONS]
    local options=security_model=none,multidevs=remap${3:-}
    devices+=(-virtfs "local,path=${2//,/,,},mount_tag=$1,$options")
}

hy_vm_wire() { # hy_vm_wire NETWORK
    local here=$1 wire=${HY_VM_WIRE//,/,,}
    [[ $here == [01] ]] || return 0
    devices+=(-netdev "dgram,id=wire,local.type=unix,local.path=$wire/$here$(
    ),remote.type=unix,remote.path=$wire/$((1 - here))")
    devices+=(-device "virtio-net-pci,netdev=wire,mac=52:54:00:07:00:0$here")
}

hy_vm_verdict() { # hy_vm_verdict LAB RC-OF-QEMU LIMIT
    if [ -s "$1/rc" ]; then
        return "$(cat "$1/rc")"
    elif (($2 == 124 || $2 == 137)); then
        hy_say "the command did not end within $3 s (--limit); the end of the machine's console:"
        tail -n 20 "$1/console" >&2
        return 124
    fi
    if hy_vm_hung "$1/console"; then
        hy_say "the machine's kernel hung, by no fault of the command; the end of its console:"
        tail -n 60 "$1/console" >&2
        return 123
    fi
    hy_say "the machine ended before the command did; the end of its console:"
    grep -hv '\]  ? ' "$1/console" "$1/qemu" | tail -n 60 >&2 # without guessed callers
    return 125
}

# Whether the kernel hung with no module in it but its own: "O" in the list of what taints it means
# that one was loaded which does not belong to it.
hy_vm_hung() { # hy_vm_hung CONSOLE
    local report
    report=$(sed -n '/Kernel panic - not syncing: softlockup/,$p' "$1")
    [ -n "$report" ] && ! grep -qE 'Tainted: [^#]*O' <<<"$report"
}

# Each line of output gets the number of its machine. The exit code is that of the first that fails;
# the other one is ended then.
hy_vm_pair() {
    local rc=0 first=() options=(--limit "$2")
    [ -z "$1" ] || options+=(--share "$1")
    shift 2
    while (($#)) && [ "$1" != -- ]; do
        first+=("$1")
        shift
    done
    ((${#first[@]} && $# > 1)) || hy_die "vm.sh pair: expected two commands, each after --"
    wire=$(mktemp -d "${TMPDIR:-/tmp}/hayate-vm.XXXXXX")
    trap 'rm -rf "$wire"' EXIT
    hy_vm_node 0 "${options[@]}" -- "${first[@]}" &
    hy_vm_node 1 "${options[@]}" -- "${@:2}" &
    wait -n || rc=$?
    if ((rc == 0)); then
        wait -n || rc=$?
    else
        for job in $(jobs -p); do
            kill "$job" 2>/dev/null || true
        done
    fi
    wait
    return $rc
}

# A process that ends with this shell.
hy_vm_node() { # hy_vm_node NUMBER OPTION.. -- COMMAND..
    exec setpriv --pdeathsig TERM scripts/lab/vm.sh run --node "$1" --wire "$wire" "${@:2}" \
        > >(sed -u "s/^/$1: /") 2> >(sed -u "s/^/$1: /" >&2)
}
