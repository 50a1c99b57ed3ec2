/* SPDX-License-Identifier: Apache-2.0 */
/* A job that a cluster's launcher started. The ranks of one node share a segment, as under
 * `hayate run`, but the first rank of the node makes it (node.h), and the ranks watch each other
 * (node_watch.h). What ranks of other nodes need to know goes through the launcher. */
#include "boot/boot_cluster.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/status.h"
#include "boot/mapping.h"
#include "boot/node.h"
#include "boot/node_watch.h"
#include "boot/segment.h"

#define NO_SEGMENT "failed" /* published instead of an address */
#define NODE "node"         /* name of the text that a node's first rank publishes */

typedef struct hy_cluster {
    const hy_pmi_ops *ops;
    hy_pmi pmi;
    hy_node_watch *watch;
    pid_t opener;         /* a forked child does not talk to the launcher */
    pthread_mutex_t lock; /* of the connection to the launcher */
} hy_cluster;

_Static_assert(HY_PMI_TEXT == HY_BOOT_TEXT, "a published text fits into the launcher's");

static atomic_flag used = ATOMIC_FLAG_INIT;

/* Renumbers the launcher's nodes 0, 1, ... in the order of their first ranks. The table has room
 * for all numbers of the launcher, but touches memory only for those that occur. */
static int renumber(int32_t *node_of, int size, int *nodes)
{
    int32_t *known = calloc(HY_PLACE_RANKS, sizeof *known); /* 1 + the new number */
    if (!known) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for the nodes of %d ranks", size);
    *nodes = 0;
    for (int rank = 0; rank < size; rank++) {
        int32_t *ours = &known[node_of[rank]];
        if (!*ours) *ours = ++*nodes;
        node_of[rank] = *ours - 1;
    }
    free(known);
    return HAYATE_OK;
}

static int check_place(const hy_pmi *pmi, const hy_segment_nodes *nodes)
{
    int count = 0, first = -1;
    for (int rank = 0; rank < nodes->size; rank++) {
        if (nodes->node_of[rank] != nodes->node) continue;
        if (count++ == 0) first = rank;
    }
    if (count == pmi->place.count && first == pmi->place.first) return HAYATE_OK;
    return hy_fail(
        HAYATE_ERR_LAUNCH,
        "the launcher placed rank %d on a node with %d ranks, the first of them rank %d, "
        "and also on one with %d, the first of them rank %d",
        pmi->rank, pmi->place.count, pmi->place.first, count, first);
}

static int ask_nodes(hy_cluster *cluster, int32_t *node_of, int *nodes)
{
    int rc = cluster->ops->map(&cluster->pmi, node_of);
    return rc ? rc : renumber(node_of, cluster->pmi.size, nodes);
}

static void set_apart(const hy_pmi *pmi, int32_t *node_of, int *nodes)
{
    for (int rank = 0; rank < pmi->size; rank++) node_of[rank] = rank;
    *nodes = pmi->size;
}

/* node_of: [size], filled */
static int find_nodes(const hy_boot *boot, int32_t *node_of, hy_segment_nodes *nodes)
{
    hy_pmi *pmi = &boot->cluster->pmi;
    int rc = HAYATE_OK;
    *nodes = (hy_segment_nodes){.size = pmi->size, .nodes = 1, .small = boot->apart};
    if (pmi->place.count == pmi->size) return HAYATE_OK;
    if (boot->apart) set_apart(pmi, node_of, &nodes->nodes);
    else rc = ask_nodes(boot->cluster, node_of, &nodes->nodes);
    if (rc) return rc;
    nodes->node_of = node_of;
    nodes->node = node_of[pmi->rank];
    return check_place(pmi, nodes);
}

static int create_segment(hy_boot *boot, int32_t *node_of)
{
    hy_segment_nodes nodes;
    uint64_t heap = HY_HEAP_LOW;
    int rc = find_nodes(boot, node_of, &nodes);
    if (!rc && !boot->apart)
        rc = hy_setting_value_or(HY_SET(HEAP),
                                 hy_heap_default_among(boot->cluster->pmi.place.count, nodes.nodes),
                                 &heap);
    if (rc) return rc;
    return hy_segment_create_among(&nodes, heap, &boot->segment_fd, &boot->segment_bytes);
}

static int map_segment(hy_boot *boot)
{
    return hy_mapping_take(boot->segment_fd, (uint32_t)boot->size, boot->segment_bytes,
                           &boot->control);
}

static int make_segment(hy_boot *boot)
{
    int32_t *node_of = malloc((size_t)boot->size * sizeof *node_of);
    if (!node_of) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for %d ranks", boot->size);
    int rc = create_segment(boot, node_of);
    free(node_of);
    return rc ? rc : map_segment(boot);
}

static int invite(const hy_boot *boot, hy_node_host *host)
{
    host->segment_fd = boot->segment_fd;
    host->segment_bytes = boot->segment_bytes;
    host->control = boot->control;
    return host->listener < 0 ? hy_node_listen(host) : HAYATE_OK;
}

static int watch_ranks(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    if (cluster->watch) return HAYATE_OK;
    return hy_node_watch_open(&cluster->watch, boot->control, boot->rank, cluster->pmi.socket);
}

static int watch_early(hy_boot *boot, hy_node_host *host)
{
    const hy_pmi *pmi = &boot->cluster->pmi;
    hy_control *control = boot->control;
    if (!pmi->pid_of) return HAYATE_OK;
    for (uint32_t i = 0; i < control->parts; i++) {
        int rank = (int)hy_control_rank_at(control, i);
        hy_store_release(&hy_control_record(control, rank)->pid, pmi->pid_of(pmi, rank));
    }
    int rc = watch_ranks(boot);
    host->watch = boot->cluster->watch;
    return rc;
}

/* The other ranks wait for the address: they are told if there is none. */
static int be_host(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    char text[HY_NODE_TEXT] = NO_SEGMENT;
    hy_node_host new = {.listener = -1, .rank = boot->rank, .size = boot->size};
    hy_node_host *host = cluster->pmi.host ? cluster->pmi.host : &new;
    int rc = make_segment(boot);
    if (!rc) rc = invite(boot, host);
    if (!rc) rc = watch_early(boot, host);
    const hy_failure mine = hy_failure_of(rc);
    if (!rc) hy_node_address_print(&host->address, text);
    rc = cluster->ops->publish(&cluster->pmi, NODE, text);
    if (!rc) rc = cluster->ops->fence(&cluster->pmi);
    if (mine.code) rc = hy_fail_again(&mine);
    if (!rc) rc = hy_node_serve(host, HY_NODE_MEET_MS);
    if (host->listener >= 0) close(host->listener);
    host->listener = -1;
    return rc;
}

/* Nobody shares the node: there is nobody to invite. */
static int be_apart(hy_boot *boot)
{
    int rc = make_segment(boot);
    if (!rc)
        hy_store_release(&hy_control_live_of(boot->control)->ranks[boot->rank].pid,
                         (int32_t)getpid());
    return rc;
}

static int be_guest(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    int first = cluster->pmi.place.first;
    char text[HY_PMI_TEXT];
    hy_node_address address;
    int rc = cluster->ops->fence(&cluster->pmi);
    if (!rc) rc = cluster->ops->lookup(&cluster->pmi, first, NODE, text);
    if (!rc && strcmp(text, NO_SEGMENT) == 0)
        rc = hy_fail_peer(
            HAYATE_ERR_PEER_FAILED, first,
            "rank %d could not make the segment of this node: see the error of that rank", first);
    if (!rc) rc = hy_node_address_parse(text, &address);
    if (!rc)
        rc = hy_node_visit(&address, first, boot->rank, HY_NODE_MEET_MS, &boot->segment_fd,
                           &boot->segment_bytes);
    return rc ? rc : map_segment(boot);
}

static int check_size(const hy_pmi *pmi)
{
    if (pmi->size > HY_MAX_RANKS)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%d ranks: expected at most %d", pmi->size,
                       HY_MAX_RANKS);
    if (pmi->place.count > HY_MAX_PARTS)
        return hy_fail(HAYATE_ERR_UNSUPPORTED, "%d ranks on one node: expected at most %d",
                       pmi->place.count, HY_MAX_PARTS);
    return HAYATE_OK;
}

/* A rank that is alone in its process has no space, as if it could not know of others. */
static void find_neighbours(hy_boot *boot)
{
    const hy_control *control = boot->control;
    int here = 0;
    for (uint32_t i = 0; i < control->parts; i++) {
        int rank = (int)hy_control_rank_at(control, i);
        here += hy_load_acquire(&hy_control_live_of(control)->ranks[rank].pid) == getpid();
    }
    if (here > 1) hy_mapping_space(boot->space);
    boot->mixed = here > 1 && here < (int)control->parts;
}

static int boot_cluster_meet(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    hy_pmi *pmi = &cluster->pmi;
    int rc = check_size(pmi);
    if (!rc)
        rc = boot->apart                      ? be_apart(boot)
             : boot->rank == pmi->place.first ? be_host(boot)
                                              : be_guest(boot);
    if (!rc) find_neighbours(boot);
    if (!rc) rc = watch_ranks(boot);
    if (!rc)
        hy_store_release(&hy_control_live_of(boot->control)->ranks[boot->rank].state,
                         HY_RANK_JOINED);
    return rc;
}

static int boot_cluster_start(hy_boot *boot, const hy_pmi_ops *ops)
{
    hy_cluster *cluster = calloc(1, sizeof *cluster);
    if (!cluster) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
    cluster->pmi = (hy_pmi){.socket = -1, .state = boot->bootstrap};
    int rc = ops->open(&cluster->pmi);
    if (rc) {
        free(cluster);
        return rc;
    }
    cluster->ops = ops;
    cluster->opener = getpid();
    pthread_mutex_init(&cluster->lock, NULL);
    boot->cluster = cluster;
    boot->rank = cluster->pmi.rank;
    boot->size = cluster->pmi.size;
    if (boot->apart) cluster->pmi.place = (hy_node_place){.first = boot->rank, .count = 1};
    return HAYATE_OK;
}

int hy_cluster_open(hy_boot *boot, const hy_pmi_ops *ops)
{
    if (ops->once && atomic_flag_test_and_set(&used))
        return hy_fail(HAYATE_ERR_STATE,
                       "this process has already been a rank of its job: a job that a launcher "
                       "started can be opened only once");
    /* Yama permits a declared tracer and its descendants, and so the other ranks, to read this
     * memory. If there is a script between the launcher and each rank, long messages use other
     * protocols. A guest without such a parent is left as it is. */
    if (ops->once || getppid() > 1) prctl(PR_SET_PTRACER, (unsigned long)getppid(), 0, 0, 0);
    int rc = boot_cluster_start(boot, ops);
    if (rc && ops->once) atomic_flag_clear(&used); /* the environment may be corrected */
    return rc ? rc : boot_cluster_meet(boot);
}

int hy_cluster_check(hy_boot *boot)
{
    return hy_node_watch_look(boot->cluster->watch);
}

int hy_cluster_publish(hy_boot *boot, const char *name, const char *text)
{
    hy_cluster *cluster = boot->cluster;
    pthread_mutex_lock(&cluster->lock);
    int rc = cluster->ops->publish(&cluster->pmi, name, text);
    if (!rc) rc = cluster->ops->fence(&cluster->pmi);
    pthread_mutex_unlock(&cluster->lock);
    return rc;
}

int hy_cluster_lookup(hy_boot *boot, int rank, const char *name, char *text, size_t room)
{
    hy_cluster *cluster = boot->cluster;
    char found[HY_PMI_TEXT];
    pthread_mutex_lock(&cluster->lock);
    int rc = cluster->ops ? cluster->ops->lookup(&cluster->pmi, rank, name, found)
                          : hy_fail(HAYATE_ERR_CLOSED, "the job is closed");
    pthread_mutex_unlock(&cluster->lock);
    if (!rc) snprintf(text, room, "%s", found);
    return rc;
}

static void leave_launcher(hy_cluster *cluster)
{
    pthread_mutex_lock(&cluster->lock);
    if (cluster->ops) cluster->ops->close(&cluster->pmi);
    cluster->ops = NULL;
    pthread_mutex_unlock(&cluster->lock);
}

/* A thread that has the connection may wait for other ranks: then it is enough that this process
 * exits. */
void hy_cluster_abort(hy_boot *boot, int code)
{
    hy_cluster *cluster = boot->cluster;
    if (!cluster || cluster->opener != getpid() || pthread_mutex_trylock(&cluster->lock)) return;
    if (cluster->ops) cluster->ops->abort(&cluster->pmi, code);
    pthread_mutex_unlock(&cluster->lock);
}

/* LEFT is published first: afterwards this process may end. A rank that has aborted stays DEAD. */
void hy_cluster_close(hy_boot *boot)
{
    hy_control_end(boot->control, boot->rank, HY_RANK_LEFT, 0);
    leave_launcher(boot->cluster);
}

/* After a failed open, the launcher must still learn that this rank does not need it any more. */
void hy_cluster_release(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    if (boot->control) hy_mapping_drop(boot->control);
    if (!cluster) return;
    if (cluster->opener == getpid()) leave_launcher(cluster);
    hy_node_watch_close(cluster->watch);
    pthread_mutex_destroy(&cluster->lock);
    free(cluster);
    boot->cluster = NULL;
}
