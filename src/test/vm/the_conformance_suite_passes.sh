#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --limit 1800
# From Java, over shared memory and single copies by the kernel. The other classes depend less on
# the kernel, and take minutes here.
set -uo pipefail
source /hayate/src/test/vm/guest/suite.sh
share=0/2 # the other half depends no more on the kernel
run_suite 2 \
    MessageScenarios,RequestScenarios,CollectiveScenarios,CommunicatorScenarios,MemoryScenarios \
    /hayate/target/hayate-run -n 2 --heap 4G --grace 1 --
end_suites
