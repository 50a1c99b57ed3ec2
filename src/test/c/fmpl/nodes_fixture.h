/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a *_program of the tests on several nodes, which hydra makes of this machine. */
#ifndef HY_TEST_NODES_FIXTURE_H
#define HY_TEST_NODES_FIXTURE_H

#include "base/text_fixture.h"
#include "boot/launched_fixture.h"

/* `shell` is what each rank's shell does before it becomes the program. */
static inline void must_pass_on(const char *hosts, int n, const char *settings, const char *shell,
                                const char *program)
{
    launched_need(HYDRA_PROBE);
    const char *all = text_of("HAYATE_HEAP=64M %s", settings);
    const char *command = text_of("mpiexec.hydra -launcher fork -hosts %s -n %d "
                                  "sh -c '%s exec $HAYATE_TEST_BIN/%s' 2>&1 </dev/null",
                                  hosts, n, shell, program);
    ranks_result result = launched_run(all, command);
    if (result.status != 0)
        fail_msg("%s on %s: status %d\n%s", program, hosts, result.status, result.output);
}

#endif
