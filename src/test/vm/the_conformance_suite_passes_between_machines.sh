#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: host
# From Java, over soft-RoCE between two machines with two ranks each: shared memory within each,
# verbs between them. What only two kernels with clocks of their own can show is that ranks find
# each other, and that data arrive whole and before their flag; all else runs between nodes of one
# machine. hydra needs no more of a remote shell than that it begins a command there: the second
# machine takes it from a folder that both share.
set -uo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/shell" <<'END'
#!/bin/sh
# shell OPTION.. HOST COMMAND..
while [ "${1#-}" != "$1" ]; do shift; done
shift
echo "$*" >/share/command.part
mv /share/command.part /share/command
until [ -e /share/ended ]; do sleep 0.2; done
END
chmod +x "$folder/shell"
cat >"$folder/first" <<'END'
source /hayate/src/test/vm/guest/suite.sh
export HAYATE_HEAP=64M HAYATE_NET=verbs HAYATE_NET_DEVICE=rxe0
share=2/6
some=MessageScenarios.should_carry_every_size_between_every_kind_of_buffer
some+=,MessageScenarios.should_exchange_long_messages_in_both_directions_at_once
some+=,OmplFlagScenarios.should_show_data_before_their_flag
run_suite 4 $some \
    mpiexec.hydra -launcher ssh -launcher-exec /share/shell -iface eth0 \
    -hosts hayate-0,hayate-1 -ppn 2 -n 4
touch /share/over
end_suites
END
cat >"$folder/second" <<'END'
until [ -e /share/command ]; do
    [ ! -e /share/over ] || exit 1
    sleep 0.2
done
sh /share/command
touch /share/ended
END
out=$folder/out
scripts/lab/vm.sh pair --limit 1200 --share "$folder" -- bash first -- bash second | tee "$out"
sed -n 's/^0: \([0-9]* passed, .*\)/\1/p' "$out" | tail -n 1
grep -q '^0: [0-9]* passed, 0 failed' "$out"
