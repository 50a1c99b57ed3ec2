#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# vm: guest --limit 900
# From Java, over shared memory and single copies by the kernel: two ranks, a JVM each for all
# scenarios of these classes. The others depend less on the kernel, and take minutes here. Each rank
# reports a line for each scenario.
set -uo pipefail
out=/tmp/out
/hayate/target/hayate-run -n 2 --heap 4G --grace 1 -- java -Xmx256m -XX:+UseSerialGC \
    -XX:TieredStopAtLevel=1 -Djdk.virtualThreadScheduler.parallelism=1 \
    -Djdk.virtualThreadScheduler.maxPoolSize=1 \
    -cp "/hayate/target/test-classes:/hayate/target/vm/lib/*" \
    io.hayate.conformance.RankMain MessageScenarios RequestScenarios CollectiveScenarios \
    CommunicatorScenarios MemoryScenarios | tee $out
rc=${PIPESTATUS[0]}
passed=$(awk '$1 == "@hayate" && $4 == "PASSED" && ++ranks[$3] == 2' $out | wc -l)
begun=$(awk '$1 == "@hayate" && !seen[$3]++' $out | wc -l)
failed=$((begun - passed))
((failed || rc == 0)) || failed=1
echo
echo "$passed passed, $failed failed, 0 skipped"
((failed == 0 && passed > 0))
