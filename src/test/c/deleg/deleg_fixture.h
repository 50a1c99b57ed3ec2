/* SPDX-License-Identifier: Apache-2.0 */
/* The ranks of net/fixture.h, each a node of its own with a delegatee: a child of the rank,
 * which dies with it. `tested` is then the delegated network, over libfabric's tcp. */
#ifndef HY_TEST_DELEG_FIXTURE_H
#define HY_TEST_DELEG_FIXTURE_H

#include "net/fixture.h"

#include <stdlib.h>
#include <sys/prctl.h>

#include "base/status.h"
#include "deleg/deleg_state.h"

/* Of this process: the node's segment, and what its delegatee publishes. */
static struct {
    hy_control *control;
    uint8_t address[HY_NET_ADDRESS];
    size_t address_bytes;
    pid_t child;
    int socket;
} deleg_node;

/* Ranks of each node: that of net/fixture.h, which has the first part, and those that a test adds.
 * Rank `r` of the job is on node r / deleg_parts. */
static int deleg_parts = 1;

static world *deleg_world;
static hy_net_ops deleg_tested;

/* A segment made by hand, so that the part is as long as the tests expect. */
static void deleg_place(member *me)
{
    uint32_t nodes = (uint32_t)me->size, parts = (uint32_t)deleg_parts, size = nodes * parts;
    int32_t node_of[4 * MOST];
    uint64_t at = hy_control_list_at(size, parts);
    uint64_t area = hy_round_up(hy_delegation_bytes(parts, nodes), HY_LINE);
    uint64_t control_bytes = hy_round_up(at + area, 4096);
    uint8_t *memory = mmap(NULL, control_bytes + parts * PART, PROT_READ | PROT_WRITE,
                           MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    CHECK(memory != MAP_FAILED);
    hy_control *control = deleg_node.control = (hy_control *)(void *)memory;
    *control = (hy_control){.magic = HY_CONTROL_MAGIC,
                            .abi = HY_ABI,
                            .size = size,
                            .control_bytes = control_bytes,
                            .part_bytes = PART,
                            .delegation_at = at,
                            .delegation_bytes = area,
                            .cpus = 2,
                            .parts = parts,
                            .node = me->rank,
                            .nodes = me->size,
                            .leader = me->rank * deleg_parts};
    CHECK(size <= sizeof node_of / sizeof *node_of);
    for (uint32_t rank = 0; rank < size; rank++) node_of[rank] = (int32_t)(rank / parts);
    hy_layout_find_rule(&control->layout, node_of, size, nodes);
    hy_delegation_init(memory + at, parts, nodes);
    me->part = memory + control_bytes;
    me->bell = &hy_control_entry_at(control, 0)->bell;
    deleg_world = me->w;
}

static int deleg_look_up(void *context, int rank, void *address, size_t *len)
{
    (void)context;
    return look_up(deleg_world, rank, address, len);
}

/* What the delegatee does first; NULL: nothing. */
static void (*deleg_prepare)(void);

/* What becomes of it when its network is open; NULL: nothing. */
static void (*deleg_adjust)(hy_deleg *deleg);

/* The life of the delegatee. */
static void deleg_live(const hy_net_attr *attr, int report, int socket)
{
    hy_deleg *deleg;
    hy_boot boot = {.rank = attr->rank, .size = attr->ranks, .control = deleg_node.control};
    uint8_t address[HY_NET_ADDRESS];
    size_t len = 0;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (deleg_prepare) deleg_prepare();
    CHECK_OK(hy_deleg_make(&deleg, &boot, deleg_node.control));
    hy_net_attr own = *attr;
    own.part_bytes = deleg->job.part_bytes;
    own.bell = deleg->job.bell;
    own.arrived = hy_deleg_arrived;
    own.lookup = deleg_look_up;
    own.lookup_context = deleg;
    CHECK_OK(hy_net_ofi.open(&own, &deleg->job.net));
    hy_net_ofi.address(deleg->job.net, address, &len);
    if (deleg_adjust) deleg_adjust(deleg);
    hy_deleg_start(deleg);
    CHECK(write(report, address, len) == (ssize_t)len);
    CHECK_OK(hy_deleg_serve(deleg, socket));
    hy_deleg_close(deleg);
    _exit(0);
}

static int deleg_node_of(void *context, int rank)
{
    (void)context;
    return rank / deleg_parts;
}

static int deleg_open(const hy_net_attr *attr, hy_net **net)
{
    int report[2], sockets[2];
    CHECK(pipe(report) == 0 && socketpair(AF_UNIX, SOCK_SEQPACKET, 0, sockets) == 0);
    deleg_node.child = fork();
    CHECK(deleg_node.child >= 0);
    if (deleg_node.child == 0) {
        close(sockets[0]);
        deleg_live(attr, report[1], sockets[1]);
    }
    close(report[1]);
    close(sockets[1]);
    deleg_node.socket = sockets[0];
    ssize_t len = read(report[0], deleg_node.address, sizeof deleg_node.address);
    close(report[0]);
    if (len <= 0) {
        waitpid(deleg_node.child, NULL, 0);
        return hy_fail(HAYATE_ERR_SYSTEM, "the delegatee of the test could not start");
    }
    deleg_node.address_bytes = (size_t)len;
    hy_net_attr delegated = *attr;
    delegated.delegation = hy_control_delegation(deleg_node.control);
    delegated.parts = (uint32_t)deleg_parts;
    delegated.nodes = (uint32_t)deleg_node.control->nodes;
    delegated.cpus = hy_cpus();
    delegated.member = 0;
    delegated.node_of = deleg_node_of;
    int rc = hy_net_delegated.open(&delegated, net);
    if (!rc) (*net)->ops = &deleg_tested; /* address() and close() are those above */
    return rc;
}

static inline hy_ring *deleg_ring_at(uint32_t part, int number)
{
    return hy_delegation_ring(hy_control_delegation(deleg_node.control), (uint32_t)deleg_parts,
                              (uint32_t)deleg_node.control->nodes, part, number);
}

static void deleg_address(const hy_net *net, void *address, size_t *len)
{
    (void)net;
    memcpy(address, deleg_node.address, deleg_node.address_bytes);
    *len = deleg_node.address_bytes;
}

/* A delegatee that was killed by the test is no failure. */
static void deleg_shut(hy_net *net)
{
    int status;
    hy_net_delegated.close(net);
    close(deleg_node.socket);
    CHECK(waitpid(deleg_node.child, &status, 0) == deleg_node.child);
    CHECK(WIFSIGNALED(status) || status == 0);
}

static void deleg_use(void)
{
    deleg_tested = hy_net_delegated;
    deleg_tested.open = deleg_open;
    deleg_tested.address = deleg_address;
    deleg_tested.close = deleg_shut;
    tested = &deleg_tested;
    place = deleg_place;
}

#endif
