/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the network of a job by a dissemination among the nodes' first ranks, through the
 * launcher's key-value space; publishes and reads addresses. */
#include "nodes/network.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/settings.h"
#include "net/delegated/delegation.h"
#include "net/net.h"
#include "nodes/membership.h"
#include "nodes/node_map.h"

/* The keys that ranks publish. USABLE and the number of a round: "<abi>.<bits>.<hosts>", one bit
 * for each of hy_nets[] that its node, and the nodes of which it has heard, can use, and the
 * addresses of these nodes (net/hosts.h). ADDRESS: "<network>.<address in hexadecimal digits>". */
#define USABLE "nets"
#define ADDRESS "net"
#define NO_ADDRESS "failed"

const hy_net_ops *const *hy_network_rows = hy_nets;

/* ---- choice ---- */

/* -1: any network. */
static int read_attr(int *only)
{
    const char *names[HY_NETS_MOST + 1] = {NULL};
    uint64_t choice;
    for (int i = 0; hy_network_rows[i]; i++) names[i] = hy_network_rows[i]->name;
    int rc = hy_setting_among(HY_SET(NET), names, &choice);
    *only = (int)choice - 1;
    return rc;
}

/* Returns the bits of the usable networks; `why` becomes the reasons against the others. */
static unsigned find_usable(int only, char *why, size_t room)
{
    unsigned usable = 0;
    why[0] = '\0';
    for (int i = 0; hy_network_rows[i]; i++) {
        if (only >= 0 && i != only) continue;
        if (hy_network_rows[i]->row->probe() == HAYATE_OK) usable |= 1u << i;
        else
            snprintf(why + strlen(why), room - strlen(why), "%s%s: %s", *why ? "; " : "",
                     hy_network_rows[i]->name, hayate_error());
    }
    return usable;
}

static void name_round(char name[16], int round)
{
    snprintf(name, 16, USABLE "%d", round);
}

/* What a rank says about its node and the nodes whose offers it has merged with its own. */
typedef struct offer {
    unsigned usable;
    hy_net_hosts hosts;
} offer;

static void print_offer(const offer *told, bool with_hosts, char text[HY_BOOT_TEXT])
{
    char hosts[HY_NET_HOSTS_TEXT] = "";
    if (with_hosts) hy_net_hosts_print(&told->hosts, hosts);
    snprintf(text, HY_BOOT_TEXT, "%u.%u.%s", HY_ABI, told->usable, hosts);
}

static int parse_offer(const char *text, int rank, offer *theirs)
{
    char *end;
    unsigned long abi = strtoul(text, &end, 10), bits = 0;
    bool sound = end > text && *end == '.';
    if (sound && abi != HY_ABI)
        return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                            "rank %d, on another node, has abi %lu, this library has abi %u: use "
                            "the same version of Hayate on all nodes",
                            rank, abi, HY_ABI);
    if (sound) bits = strtoul(end + 1, &end, 10);
    if (!sound || *end != '.' || bits >= 1u << HY_NETS_MOST ||
        !hy_net_hosts_parse(end + 1, &theirs->hosts))
        return hy_fail_peer(
            HAYATE_ERR_LAUNCH, rank,
            "rank %d published \"%.40s\" as its networks: use the same version of Hayate", rank,
            text);
    theirs->usable = (unsigned)bits;
    return HAYATE_OK;
}

/* What is known without asking is the same in all rounds. */
static int read_offer(hy_job *job, int round, int rank, offer *theirs)
{
    char name[16], text[HY_BOOT_TEXT];
    if (job->boot.ops->offered)
        return parse_offer(job->boot.ops->offered(&job->boot, rank), rank, theirs);
    name_round(name, round);
    int rc = hy_boot_lookup(&job->boot, rank, name, text);
    return rc ? rc : parse_offer(text, rank, theirs);
}

/* Only the first rank of a node gives its hosts. */
static int tell_offer(hy_job *job, int round, const offer *told)
{
    char name[16], text[HY_BOOT_TEXT];
    name_round(name, round);
    print_offer(told, hy_boot_is_leader(&job->boot), text);
    return hy_boot_publish(&job->boot, name, text);
}

static int hear_from(hy_job *job, int round, int rank, offer *common)
{
    offer theirs = {0};
    int rc = read_offer(job, round, rank, &theirs);
    common->usable &= theirs.usable;
    hy_net_hosts_merge(&common->hosts, &theirs.hosts);
    return rc;
}

/* What this node can use is what its first rank publishes. */
static int hear_from_own(hy_job *job, offer *common)
{
    if (hy_boot_is_leader(&job->boot)) return HAYATE_OK;
    common->usable = ~0u;
    return hear_from(job, 0, job->boot.control->leader, common);
}

static int network_hear(hy_job *job, int round, int node, unsigned mine, offer *common)
{
    int leader = hy_node_map_leader(job, node);
    int rc = hear_from(job, round, leader, common);
    if (rc || common->usable & mine) return rc;
    return hy_fail_peer(
        HAYATE_ERR_LAUNCH, leader,
        "no network that this rank may use can be used by rank %d, or by a node of "
        "which it has heard: set HAYATE_NET to the same value on all nodes, and run "
        "`hayate doctor` there to see what is missing",
        leader);
}

/* All offers are known: each node is heard once. */
static int hear_all(hy_job *job, offer *common)
{
    const unsigned mine = common->usable;
    int rc = hear_from_own(job, common);
    for (int node = 0; !rc && node < hy_job_nodes(job); node++)
        rc = network_hear(job, 0, node, mine, common);
    return rc;
}

/* The networks that the first ranks of all nodes can use. In round k, a node reads what the node
 * 2^k behind it has in common with the nodes behind that one: after log2(nodes) rounds all nodes
 * know the same, and no node has asked every other. A node that fails continues with no
 * networks, because others wait for it in each round. */
static int network_agree(hy_job *job, offer *common)
{
    static const offer nothing;
    const unsigned mine = common->usable;
    const hy_control *control = job->boot.control;
    hy_failure failed = {.code = HAYATE_OK};
    if (job->boot.ops->offered) return hear_all(job, common);
    for (int round = 0; 1 << round < hy_job_nodes(job); round++) {
        int rc = tell_offer(job, round, failed.code ? &nothing : common);
        if (rc) return rc;
        if (failed.code) continue;
        rc = round == 0 ? hear_from_own(job, common) : HAYATE_OK;
        if (!rc)
            rc = network_hear(job, round, (control->node + (1 << round)) % control->nodes, mine,
                              common);
        failed = hy_failure_of(rc);
    }
    return hy_fail_again(&failed);
}

int hy_network_offer(char text[HY_BOOT_TEXT])
{
    char why[400];
    offer mine = {0};
    int only, rc = read_attr(&only);
    if (rc) return rc;
    mine.usable = find_usable(only, why, sizeof why);
    hy_net_hosts_add_own(&mine.hosts);
    print_offer(&mine, true, text);
    return HAYATE_OK;
}

static void explain(hy_job *job, int only, int chosen, unsigned mine, const char *why)
{
    if (only >= 0) {
        snprintf(job->why_net, sizeof job->why_net, "chosen by HAYATE_NET");
        return;
    }
    int first = 0;
    while (first < chosen && !(mine & 1u << first)) first++;
    if (first < chosen)
        snprintf(job->why_net, sizeof job->why_net,
                 "the first network that all nodes can use; not all can use %s",
                 hy_network_rows[first]->name);
    else if (chosen > 0)
        snprintf(job->why_net, sizeof job->why_net, "the first usable network (%.150s)", why);
    else snprintf(job->why_net, sizeof job->why_net, "the first network in order of preference");
}

static int network_choose(hy_job *job, const hy_net_ops **choice, hy_net_hosts *hosts)
{
    char why[400];
    offer common = {0};
    int only, i = 0, wrong = read_attr(&only);
    unsigned mine = wrong ? 0 : find_usable(only, why, sizeof why);
    common.usable = mine;
    hy_net_hosts_add_own(&common.hosts);
    int rc = network_agree(job, &common); /* the others wait for it in any case */
    *hosts = common.hosts;
    if (wrong) return read_attr(&only);
    if (!mine)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "the %d ranks of this job are on %d nodes, and no network between them is "
                       "usable: %s",
                       job->size, job->boot.control->nodes, why);
    if (rc) return rc;
    while (!(common.usable & 1u << i)) i++;
    *choice = hy_network_rows[i];
    explain(job, only, i, mine, why);
    return HAYATE_OK;
}

/* ---- addresses ---- */

static void print_address(char *text, const uint8_t *address, size_t len)
{
    for (size_t i = 0; i < len; i++) sprintf(text + 2 * i, "%02x", address[i]);
}

static int digit(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool read_address(const char *text, uint8_t *address, size_t *len)
{
    size_t digits = strlen(text);
    if (digits % 2 || digits / 2 > *len) return false;
    *len = digits / 2;
    for (size_t i = 0; i < *len; i++) {
        int high = digit(text[2 * i]), low = digit(text[2 * i + 1]);
        if (high < 0 || low < 0) return false;
        address[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

static int look_up(void *context, int rank, void *address, size_t *len)
{
    hy_job *job = context;
    const char *name = job->net->ops->name;
    size_t length = strlen(name);
    char text[HY_BOOT_TEXT];
    int rc = hy_boot_lookup(&job->boot, rank, ADDRESS, text);
    if (rc) return rc;
    if (strcmp(text, NO_ADDRESS) == 0)
        return hy_fail_peer(HAYATE_ERR_PEER_FAILED, rank,
                            "rank %d could not open its network: see the error of that rank", rank);
    if (strncmp(text, name, length) == 0 && text[length] == '.' &&
        read_address(text + length + 1, address, len))
        return HAYATE_OK;
    return hy_fail_peer(HAYATE_ERR_LAUNCH, rank,
                        "rank %d published \"%.20s...\" as its address, expected one of the network"
                        " %s: set HAYATE_NET to the same value on all ranks, and use one version",
                        rank, text, name);
}

static bool is_lost(void *job, int rank)
{
    return hy_membership_lost(job, rank);
}

/* If all ranks of this node compute, none of them would see a death or report it. */
static void network_look_around(void *context)
{
    hy_job *job = context;
    if (hy_load_acquire(&job->open)) hy_job_check(job, -1);
}

static int publish(hy_job *job, bool open)
{
    char text[HY_BOOT_TEXT] = NO_ADDRESS;
    uint8_t address[HY_NET_ADDRESS];
    size_t len = sizeof address;
    if (open) {
        job->net->ops->address(job->net, address, &len);
        int length = snprintf(text, sizeof text, "%s.", job->net->ops->name);
        print_address(text + length, address, len);
    }
    return hy_boot_publish(&job->boot, ADDRESS, text);
}

/* ---- opening ---- */

static int open_net(hy_job *job, const hy_net_ops *ops, hy_net_attr *attr)
{
    attr->rank = job->rank;
    attr->ranks = job->size;
    attr->part = job->part;
    attr->part_bytes = job->part_bytes;
    attr->bell = job->bell;
    attr->lookup = look_up;
    attr->lookup_context = job;
    int rc = hy_net_read_attr(attr);
    return rc ? rc : ops->open(attr, &job->net);
}

static int network_node_of(void *job, int rank)
{
    return hy_job_node_of(job, rank);
}

/* The ranks of a node that has a delegatee neither choose a network nor have an address. */
static int open_delegated(hy_job *job, hy_delegation *delegation)
{
    const hy_control *control = job->boot.control;
    hy_net_attr attr = {.delegation = delegation,
                        .parts = control->parts,
                        .nodes = (uint32_t)control->nodes,
                        .cpus = (int)control->cpus,
                        .member = (uint32_t)hy_control_part_number(control, job->rank),
                        .node_of = network_node_of};
    int rc = hy_delegation_verify(delegation, control->delegation_bytes, attr.parts, attr.nodes);
    if (!rc) rc = open_net(job, &hy_net_delegated, &attr);
    if (rc) return rc;
    job->delegate = job->net;
    if (control->nodes == 1) job->net = NULL; /* nobody is reached by it */
    snprintf(job->why_net, sizeof job->why_net, "the node has a delegatee");
    return HAYATE_OK;
}

int hy_network_open(hy_job *job)
{
    hy_net_attr attr = {.is_lost = is_lost, .idle = network_look_around};
    hy_delegation *delegation = hy_control_delegation(job->boot.control);
    if (delegation) return open_delegated(job, delegation);
    return job->boot.control->nodes == 1 ? HAYATE_OK : hy_network_open_with(job, &attr);
}

void hy_network_close(hy_job *job)
{
    hy_net *net = job->delegate;
    job->delegate = NULL;
    if (net && !job->net && job->opener == getpid()) net->ops->close(net);
}

/* After an error there is no address; the others, which wait for one, are told. */
int hy_network_open_with(hy_job *job, hy_net_attr *attr)
{
    const hy_net_ops *ops = NULL;
    int rc, opened = network_choose(job, &ops, &attr->hosts);
    if (!opened) opened = open_net(job, ops, attr);
    const hy_failure failure = hy_failure_of(opened);
    rc = publish(job, !opened);
    if (opened) return hy_fail_again(&failure);
    if (rc) job->net->ops->close(job->net);
    return rc;
}
