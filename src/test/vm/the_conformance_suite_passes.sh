#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# slow
# vm: guest --limit 1800
# From Java, over shared memory and single copies by the kernel. Classes that move data by these
# alone run over the kernel module, in the_runtime_uses_the_kernel_module.sh.
set -uo pipefail
source /hayate/src/test/vm/guest/suite.sh
share=0/4 # the other cases depend no more on the kernel
run_suite 2 MessageScenarios,RequestScenarios,MemoryScenarios \
    /hayate/target/hayate-run -n 2 --heap 4G --grace 1 --
end_suites
