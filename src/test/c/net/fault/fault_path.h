/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A path for tests: that of shared memory behind a wall. Peers have no mapped part, as if they were
 * on other nodes, and what is written to them arrives as late and in as bad an order as path.h
 * allows, by a plan with a seed; at a given operation the connection breaks for good, or is cut:
 * then all is lost that was under way and that comes, without a word, and who waits for the peer
 * hears of it when it has been silent for a while.
 *
 * In a program of the tests, and in the library that is built with it (never in the one that users
 * have), it is a row of the table of networks, which HAYATE_NET_LOCAL=fault puts between the ranks
 * of a node, if HAYATE_TEST_FAULT has its plan: words "seed=N" (of all choices),
 * "delay=PERCENT" (that a write stays behind at a look), "nodes=N" (rank r lives on node r % N and
 * sees that one's ranks as ever; 0: each on its own), "fail=N" (the N-th operation of the rank
 * named by "rank=R" with a peer breaks that connection; 0: none), "drop=N" (likewise, cuts it),
 * separated by commas.
 */
#ifndef HY_TEST_FAULT_PATH_H
#define HY_TEST_FAULT_PATH_H

#include "net/net.h"

typedef struct fault_plan {
    uint64_t seed, delay, nodes, fail, drop, rank;
} fault_plan;

/* The network of one rank among `size`; it stays for the rest of the program. */
hy_net *fault_net(const fault_plan *plan, int size);

/* Puts it between `ep` and its own path. here, there: words of both ranks, in which either side
 * finds out that the other one broke the connection. */
void fault_path_wrap(hy_net *net, hy_ep *ep, _Atomic uint32_t *here, _Atomic uint32_t *there);

/* As HAYATE_NET_LOCAL and HAYATE_TEST_FAULT, for the jobs that this process opens from now on;
 * NULL: none has such peers. False: it cannot be understood. */
bool fault_jobs(const char *plan);

/* The next operation on it, or one behind that, breaks the connection. */
void fault_path_break(hy_ep *ep);

/* Likewise, cuts it. */
void fault_path_cut(hy_ep *ep);

#endif
