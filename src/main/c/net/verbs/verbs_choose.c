/* SPDX-License-Identifier: Apache-2.0 */
/* Rates every port and address (GID) of every device, and opens the best one. */
#include "net/verbs/verbs_choose.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/status.h"

enum { UNFIT, LINK_LOCAL, OLD, IPV6, IPV4 };

/* The search, with the devices that were rejected and why, for the error text. */
typedef struct search {
    const hy_verbs_calls *calls;
    char device[64]; /* empty: any */
    int port;        /* 0: any */
    hy_verbs_choice *choice;
    char seen[400];
} search;

static void verbs_choose_note(search *s, const char *device, int port, const char *what)
{
    size_t used = strlen(s->seen);
    snprintf(s->seen + used, sizeof s->seen - used, "%s%s:%d %s", used ? ", " : "", device, port,
             what);
}

static int read_attr(const hy_net_attr *attr, search *s)
{
    const char *text = attr->device ? attr->device : "", *colon = strchr(text, ':');
    size_t length = colon ? (size_t)(colon - text) : strlen(text);
    char *end = NULL;
    if (colon) s->port = (int)strtol(colon + 1, &end, 10);
    if (length >= sizeof s->device || (colon && (*end || s->port < 1 || s->port > 255)))
        return hy_fail(HAYATE_ERR_ARGUMENT,
                       "HAYATE_NET_DEVICE is \"%s\"; expected a device, or device and port:"
                       " \"rxe0\", \"rxe0:1\"",
                       text);
    memcpy(s->device, text, length);
    return HAYATE_OK;
}

static bool is_ipv4(const union ibv_gid *gid)
{
    static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
    return memcmp(gid->raw, mapped, sizeof mapped) == 0;
}

static int rate(const struct ibv_gid_entry *entry)
{
    bool local = entry->gid.raw[0] == 0xfe && (entry->gid.raw[1] & 0xc0) == 0x80;
    if (entry->gid_type == IBV_GID_TYPE_IB) return IPV4;
    if (local) return LINK_LOCAL;
    if (entry->gid_type != IBV_GID_TYPE_ROCE_V2) return OLD;
    return is_ipv4(&entry->gid) ? IPV4 : IPV6;
}

/* Finds the best address of the port. */
static bool choose_gid(const search *s, hy_verbs_choice *found)
{
    int best = UNFIT;
    for (int i = 0; i < found->port_attr.gid_tbl_len && i < 256; i++) {
        struct ibv_gid_entry entry;
        if (s->calls->query_gid_ex(found->context, found->port, (uint32_t)i, &entry, 0,
                                   sizeof entry) != 0)
            continue;
        int its = rate(&entry);
        if (its <= best) continue;
        best = its;
        found->gid = entry.gid;
        found->gid_index = (uint8_t)i;
    }
    return best != UNFIT;
}

static bool verbs_choose_fits(search *s, hy_verbs_choice *found)
{
    if (hy_verbs_query_port(found->context, found->port, &found->port_attr) != 0) return false;
    if (found->port_attr.state != IBV_PORT_ACTIVE) {
        verbs_choose_note(s, found->name, found->port,
                          s->calls->port_state_str(found->port_attr.state));
        return false;
    }
    if (choose_gid(s, found)) return true;
    verbs_choose_note(s, found->name, found->port, "has no address");
    return false;
}

static bool try_device(search *s, struct ibv_device *device)
{
    hy_verbs_choice found = {0};
    snprintf(found.name, sizeof found.name, "%s", s->calls->get_device_name(device));
    found.context = s->calls->open_device(device);
    if (!found.context) {
        verbs_choose_note(s, found.name, 0, strerror(errno));
        return false;
    }
    bool wanted = !*s->device || strcmp(s->device, found.name) == 0, fit = false;
    if (s->calls->query_device(found.context, &found.device) != 0) wanted = false;
    for (int port = 1; wanted && !fit && port <= found.device.phys_port_cnt; port++) {
        found.port = (uint8_t)port;
        fit = (s->port == 0 || s->port == port) && verbs_choose_fits(s, &found);
    }
    if (fit) *s->choice = found;
    else s->calls->close_device(found.context);
    if (!wanted) verbs_choose_note(s, found.name, 1, "is there");
    return fit;
}

static int nothing_fits(const search *s, const hy_net_attr *attr, int count)
{
    if (count == 0)
        return hy_fail(
            HAYATE_ERR_UNSUPPORTED,
            "this machine has no RDMA device (libibverbs lists none); use the network"
            " \"ofi\", or create a soft-RoCE device: rdma link add rxe0 type rxe netdev eth0");
    return hy_fail(
        HAYATE_ERR_UNSUPPORTED,
        "no RDMA device%s%s has an active port with an address (HAYATE_NET_DEVICE); found"
        ": %s",
        attr->device ? " " : "", attr->device ? attr->device : "", s->seen);
}

int hy_verbs_choose(const hy_verbs_calls *calls, const hy_net_attr *attr, hy_verbs_choice *choice)
{
    search s = {.calls = calls, .choice = choice};
    int count = 0, rc = read_attr(attr, &s);
    bool found = false;
    if (rc) return rc;
    struct ibv_device **all = calls->get_device_list(&count);
    for (int i = 0; all && i < count && !found; i++) found = try_device(&s, all[i]);
    if (all) calls->free_device_list(all);
    return found ? HAYATE_OK : nothing_fits(&s, attr, count);
}
