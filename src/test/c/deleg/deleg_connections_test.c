/* SPDX-License-Identifier: Apache-2.0 */
/* slow */
/* A node with a delegatee has one connection to each other node, however many ranks it has; without
 * one, each rank has a connection to each rank of other nodes. */
#include "base/test.h"
#include "boot/launched_fixture.h"

#define NODES 3
#define RANKS 4 /* of each */

static ranks_result connect_all(const char *command)
{
    char line[500];
    launched_need(HYDRA_PROBE);
    ranks_need_library("libfabric.so.1");
    snprintf(line, sizeof line,
             "mpiexec.hydra %s $HAYATE_TEST_BIN/deleg/deleg_connections_program 2>&1 </dev/null",
             command);
    ranks_result result = launched_run(
        "HAYATE_HEAP=8M HAYATE_TUNING=none HAYATE_WAIT=block HAYATE_NET=ofi "
        "HAYATE_OFI_PROVIDER='tcp;ofi_rxm'",
        line);
    if (result.status != 0) fail_msg("exit %d\n%s", result.status, result.output);
    return result;
}

/* The number behind "WHO i: WHAT ", of all i below `count`. */
static void assert_all(const ranks_result *result, const char *who, int count, const char *what,
                       int least, int most)
{
    for (int i = 0; i < count; i++) {
        char text[64];
        int number = -1;
        snprintf(text, sizeof text, "%s %d: %s ", who, i, what);
        const char *found = strstr(result->output, text);
        if (found) number = atoi(found + strlen(text));
        if (number < least || number > most)
            fail_msg("%s%d, expected %d to %d\n%s", text, number, least, most, result->output);
    }
}

/* Two that connect to each other at the same time may keep both sockets. */
TEST(should_need_one_connection_for_each_other_node)
{
    ranks_result result = connect_all("-n 3 $HAYATE_RUN --delegate -n 4 --");
    assert_all(&result, "node", NODES, "connections", NODES - 1, NODES - 1);
    assert_all(&result, "node", NODES, "connections 2, sockets", NODES - 1, 2 * (NODES - 1));
    assert_all(&result, "rank", NODES * RANKS, "sockets", 0, 0);
}

TEST(should_need_one_for_each_pair_of_ranks_without_delegatees)
{
    const int peers = (NODES - 1) * RANKS;
    ranks_result result = connect_all("-launcher fork -hosts a:4,b:4,c:4 -n 12");
    assert_all(&result, "rank", NODES * RANKS, "sockets", peers, 2 * peers);
}

int main(void)
{
    ranks_setup();
    return ranks_main(tests_run());
}
