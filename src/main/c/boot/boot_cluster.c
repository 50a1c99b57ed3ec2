/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A job that the cluster's own launcher started. The ranks of one node share a segment as under
 * `hayate run`, but nobody outside of them has made it: the first rank does (node.h). Each watches
 * the others (node_watch.h). Ranks of other nodes cannot be reached yet.
 */
#include "boot/boot_cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/config.h"
#include "base/status.h"
#include "boot/node.h"
#include "boot/node_watch.h"
#include "boot/segment.h"

#define NO_SEGMENT "failed" /* published in place of an address */
#define HOSTS_NAMED 4
#define HOSTS_ASKED 64

typedef struct hy_cluster {
    const hy_pmi_ops *ops;
    hy_pmi pmi;
    hy_node_watch *watch;
    pid_t opener; /* a forked child says nothing to the launcher */
} hy_cluster;

/* A launcher lets a process in once. */
static atomic_flag used = ATOMIC_FLAG_INIT;

/* The host's name with what a launcher might not carry replaced. */
static void name_host(char name[HY_PMI_TEXT])
{
    if (gethostname(name, 64) != 0) snprintf(name, 64, "unknown");
    name[64] = '\0';
    for (char *c = name; *c; c++) {
        bool plain = (*c >= '0' && *c <= '9') || (*c >= 'a' && *c <= 'z') ||
                     (*c >= 'A' && *c <= 'Z') || *c == '.' || *c == '-';
        if (!plain) *c = '_';
    }
}

/* Adds `host` to the names unless it is there; how many there are. */
static int add_host(char names[HOSTS_NAMED][HY_PMI_TEXT], int count, const char *host)
{
    for (int i = 0; i < count; i++)
        if (strcmp(names[i], host) == 0) return count;
    if (count < HOSTS_NAMED) snprintf(names[count++], HY_PMI_TEXT, "%s", host);
    return count;
}

/* Asks some ranks, evenly spread, the last among them: enough to say a few names. */
static int find_hosts(hy_pmi *pmi, const hy_pmi_ops *ops, char names[HOSTS_NAMED][HY_PMI_TEXT])
{
    int asked = pmi->size < HOSTS_ASKED ? pmi->size : HOSTS_ASKED, count = 0;
    for (int i = 0; i < asked && count < HOSTS_NAMED; i++) {
        char host[HY_PMI_TEXT];
        int rank = (int)((int64_t)(pmi->size - 1) * i / (asked > 1 ? asked - 1 : 1));
        if (ops->lookup(pmi, rank, host) == HAYATE_OK) count = add_host(names, count, host);
    }
    return count;
}

static int refuse_nodes(hy_pmi *pmi, const hy_pmi_ops *ops)
{
    char mine[HY_PMI_TEXT], names[HOSTS_NAMED][HY_PMI_TEXT], list[HOSTS_NAMED * HY_PMI_TEXT] = "";
    name_host(mine);
    int rc = ops->publish(pmi, mine);
    if (!rc) rc = ops->fence(pmi);
    int count = rc ? 0 : find_hosts(pmi, ops, names);
    for (int i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.64s", i ? ", " : "",
                 names[i]);
    return rc ? rc
              : hy_fail(HAYATE_ERR_UNSUPPORTED,
                        "the %d ranks of this job are on several nodes (%s%s), %d of them with "
                        "rank %d: that needs a network path, which this version has not; ask the "
                        "launcher for one node",
                        pmi->size, list, count == HOSTS_NAMED ? ", ..." : "", pmi->place.count,
                        pmi->rank);
}

static int make_segment(hy_boot *boot, hy_node_host *host)
{
    uint64_t heap;
    int rc = hy_config_bytes("HEAP", hy_heap_default(boot->size), HY_HEAP_LOW, HY_HEAP_HIGH, &heap);
    if (!rc) rc = hy_segment_create(boot->size, heap, &boot->segment_fd, &boot->segment_bytes);
    if (!rc)
        rc = hy_segment_map(boot->segment_fd, (uint32_t)boot->size, boot->segment_bytes,
                            &boot->control);
    if (rc) return rc;
    host->segment_fd = boot->segment_fd;
    host->segment_bytes = boot->segment_bytes;
    host->control = boot->control;
    return hy_node_listen(host);
}

/* The others are waiting for the address: they are told when there is none. */
static int be_host(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    char text[HY_NODE_TEXT] = NO_SEGMENT;
    hy_node_host host = {.listener = -1, .rank = boot->rank, .size = boot->size};
    int rc = make_segment(boot, &host), mine = rc;
    char reason[512];
    snprintf(reason, sizeof reason, "%s", hayate_error());
    if (!rc) hy_node_address_print(&host.address, text);
    rc = cluster->ops->publish(&cluster->pmi, text);
    if (!rc) rc = cluster->ops->fence(&cluster->pmi);
    if (mine) rc = hy_fail(mine, "%s", reason);
    if (!rc) rc = hy_node_serve(&host, HY_NODE_MEET_MS);
    if (host.listener >= 0) close(host.listener);
    return rc;
}

static int be_guest(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    int first = cluster->pmi.place.first;
    char text[HY_PMI_TEXT];
    hy_node_address address;
    int rc = cluster->ops->fence(&cluster->pmi);
    if (!rc) rc = cluster->ops->lookup(&cluster->pmi, first, text);
    if (!rc && strcmp(text, NO_SEGMENT) == 0)
        rc = hy_fail_peer(HAYATE_ERR_PEER_FAILED, first,
                          "rank %d could not make the segment of this node; its own error says why",
                          first);
    if (!rc) rc = hy_node_address_parse(text, &address);
    if (!rc)
        rc = hy_node_visit(&address, first, boot->rank, HY_NODE_MEET_MS, &boot->segment_fd,
                           &boot->segment_bytes);
    if (rc) return rc;
    return hy_segment_map(boot->segment_fd, (uint32_t)boot->size, boot->segment_bytes,
                          &boot->control);
}

static int check_size(const hy_pmi *pmi)
{
    if (pmi->size <= HY_MAX_RANKS) return HAYATE_OK;
    return hy_fail(HAYATE_ERR_UNSUPPORTED, "%d ranks on one node: at most %d", pmi->size,
                   HY_MAX_RANKS);
}

static int meet(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    hy_pmi *pmi = &cluster->pmi;
    if (pmi->place.count < pmi->size) return refuse_nodes(pmi, cluster->ops);
    int rc = check_size(pmi);
    if (!rc) rc = boot->rank == pmi->place.first ? be_host(boot) : be_guest(boot);
    if (!rc) rc = hy_node_watch_open(&cluster->watch, boot->control, boot->rank, pmi->socket);
    if (!rc) hy_store_release(&boot->control->ranks[boot->rank].state, HY_RANK_JOINED);
    return rc;
}

static int start(hy_boot *boot, const hy_pmi_ops *ops)
{
    hy_cluster *cluster = calloc(1, sizeof *cluster);
    if (!cluster) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for a job");
    cluster->pmi.socket = -1;
    int rc = ops->open(&cluster->pmi);
    if (rc) {
        free(cluster);
        return rc;
    }
    cluster->ops = ops;
    cluster->opener = getpid();
    boot->cluster = cluster;
    boot->rank = cluster->pmi.rank;
    boot->size = cluster->pmi.size;
    return HAYATE_OK;
}

int hy_cluster_open(hy_boot *boot, const hy_pmi_ops *ops)
{
    if (atomic_flag_test_and_set(&used))
        return hy_fail(HAYATE_ERR_STATE,
                       "this process has already been a rank of its job; a job that a launcher "
                       "started can be opened once");
    /* Yama lets a declared tracer and its descendants, so the other ranks, read this memory. Where
     * a script stands between the launcher and each rank, long messages go the other ways. */
    prctl(PR_SET_PTRACER, (unsigned long)getppid(), 0, 0, 0);
    int rc = start(boot, ops);
    if (rc) atomic_flag_clear(&used); /* the environment may be put right */
    return rc ? rc : meet(boot);
}

int hy_cluster_check(hy_boot *boot)
{
    return hy_node_watch_look(boot->cluster->watch);
}

/* LEFT is told first: afterwards this process may end. */
void hy_cluster_close(hy_boot *boot)
{
    hy_control_publish(boot->control, boot->rank, HY_RANK_LEFT, 0);
    if (boot->cluster->ops) boot->cluster->ops->close(&boot->cluster->pmi);
    boot->cluster->ops = NULL;
}

/* After a failed open the launcher still has to hear that this rank needs it no more. */
void hy_cluster_release(hy_boot *boot)
{
    hy_cluster *cluster = boot->cluster;
    if (boot->control) munmap(boot->control, boot->segment_bytes);
    if (!cluster) return;
    if (cluster->ops && cluster->opener == getpid()) cluster->ops->close(&cluster->pmi);
    hy_node_watch_close(cluster->watch);
    free(cluster);
    boot->cluster = NULL;
}
