/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks libfabric for endpoints with the features that are needed, and rates the offers by their
 * addresses.
 */
#include "net/ofi/ofi_choose.h"

#include <netinet/in.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/settings.h"
#include "base/status.h"

#define ORDERED (FI_ORDER_SAS | FI_ORDER_SAW | FI_ORDER_RAW)

static void want_order(struct fi_info *hints, uint64_t order)
{
    hints->tx_attr->msg_order = hints->rx_attr->msg_order = order;
    hints->tx_attr->op_flags = order == ORDERED ? 0 : FI_DELIVERY_COMPLETE;
}

/* Manual progress: a thread of ours always calls, and no thread of the provider is in between. One
 * of our locks protects all objects, so the provider needs none. */
static struct fi_info *make_hints(const hy_ofi_calls *calls, const char *provider)
{
    struct fi_info *hints = calls->dupinfo(NULL);
    if (!hints) return NULL;
    hints->caps = FI_MSG | FI_RMA;
    hints->mode = FI_CONTEXT | FI_CONTEXT2;
    hints->ep_attr->type = FI_EP_RDM;
    hints->domain_attr->threading = FI_THREAD_DOMAIN;
    hints->domain_attr->control_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->data_progress = FI_PROGRESS_MANUAL;
    hints->domain_attr->resource_mgmt = FI_RM_ENABLED;
    hints->domain_attr->mr_mode = FI_MR_LOCAL | FI_MR_VIRT_ADDR | FI_MR_ALLOCATED | FI_MR_PROV_KEY |
                                  FI_MR_ENDPOINT;
    if (provider) hints->fabric_attr->prov_name = strdup(provider);
    return hints;
}

enum { UNFIT, OTHER, IPV6, IPV4 };

static int rate_ipv4(const struct sockaddr_in *address, bool one_node)
{
    bool loopback = (ntohl(address->sin_addr.s_addr) >> 24) == 127;
    return loopback == one_node ? IPV4 : UNFIT;
}

/* A link-local address is valid only together with the interface of the rank that uses it. */
static int rate_ipv6(const struct sockaddr_in6 *address, bool one_node)
{
    if (IN6_IS_ADDR_LINKLOCAL(&address->sin6_addr)) return UNFIT;
    return (IN6_IS_ADDR_LOOPBACK(&address->sin6_addr) != 0) == one_node ? IPV6 : UNFIT;
}

/* A device that the user named is used with any address that other ranks can reach. It is searched
 * for here, because not every provider does so. */
static int rate(const struct fi_info *info, const hy_net_attr *attr)
{
    const struct sockaddr *address = info->src_addr;
    const char *device = info->domain_attr->name;
    int rating = OTHER;
    if (attr->device && (!device || strcmp(device, attr->device) != 0)) return UNFIT;
    if (address && info->addr_format == FI_SOCKADDR_IN)
        rating = rate_ipv4(info->src_addr, attr->one_node);
    else if (address && info->addr_format == FI_SOCKADDR_IN6)
        rating = rate_ipv6(info->src_addr, attr->one_node);
    return rating == UNFIT && attr->device && info->addr_format == FI_SOCKADDR_IN ? OTHER : rating;
}

static const struct fi_info *best(const struct fi_info *all, const hy_net_attr *attr)
{
    const struct fi_info *found = NULL;
    int rating = UNFIT;
    for (const struct fi_info *i = all; i; i = i->next) {
        int its = rate(i, attr);
        if (its > rating) rating = its, found = i;
    }
    return found;
}

static bool take_best(const hy_ofi_calls *calls, const struct fi_info *hints,
                      const hy_net_attr *attr, struct fi_info **chosen)
{
    struct fi_info *all = NULL;
    *chosen = NULL;
    if (calls->getinfo(HY_OFI_API, NULL, NULL, 0, hints, &all) != 0) return false;
    const struct fi_info *found = best(all, attr);
    if (found) *chosen = calls->dupinfo(found);
    calls->freeinfo(all);
    return *chosen != NULL;
}

static bool contains(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ',' || at[length] == '\0')) return true;
    return false;
}

/* Lists alternatives for the error text: devices if `devices`, else providers. */
static void list_offers(const hy_ofi_calls *calls, const char *provider, bool devices, char *text,
                        size_t room)
{
    struct fi_info *hints = make_hints(calls, provider), *all = NULL;
    snprintf(text, room, "nothing");
    if (!hints) return;
    if (calls->getinfo(HY_OFI_API, NULL, NULL, 0, hints, &all) == 0) *text = '\0';
    for (const struct fi_info *i = all; i; i = i->next) {
        const char *name = devices ? i->domain_attr->name : i->fabric_attr->prov_name;
        size_t used = strlen(text);
        if (name && !contains(text, name))
            snprintf(text + used, room - used, "%s%s", used ? ", " : "", name);
    }
    if (all) calls->freeinfo(all);
    calls->freeinfo(hints);
}

static int nothing_fits(const hy_ofi_calls *calls, const char *provider, const hy_net_attr *attr)
{
    char devices[128], providers[256];
    list_offers(calls, provider, true, devices, sizeof devices);
    if (strcmp(devices, "nothing") != 0)
        return hy_fail(HAYATE_ERR_UNSUPPORTED,
                       "libfabric's provider %s has no %s%s%s; it has: %s (HAYATE_NET_DEVICE names"
                       " one; HAYATE_NET_DEVICE=lo is for nodes that all are this machine)",
                       provider, attr->one_node ? "loopback" : "address for other nodes",
                       attr->device ? " on " : "", attr->device ? attr->device : "", devices);
    list_offers(calls, NULL, false, providers, sizeof providers);
    return hy_fail(
        HAYATE_ERR_UNSUPPORTED,
        "libfabric has no provider %s here (required: RDM endpoints, messages, RMA, sends in"
        " order); it has: %s (HAYATE_OFI_PROVIDER)",
        provider, providers);
}

int hy_ofi_choose(const hy_ofi_calls *calls, const hy_net_attr *attr, struct fi_info **chosen,
                  bool *ordered)
{
    const char *wanted = hy_setting_text(HY_SET(OFI_PROVIDER));
    const char *provider = wanted ? wanted : HY_OFI_PROVIDER_DEFAULT;
    struct fi_info *hints = make_hints(calls, provider);
    if (!hints) return hy_fail(HAYATE_ERR_NO_MEMORY, "no memory for libfabric");
    want_order(hints, ORDERED);
    *ordered = take_best(calls, hints, attr, chosen);
    if (!*ordered) {
        want_order(hints, FI_ORDER_SAS);
        take_best(calls, hints, attr, chosen);
    }
    calls->freeinfo(hints);
    return *chosen ? HAYATE_OK : nothing_fits(calls, provider, attr);
}

hy_net_class hy_ofi_class(const struct fi_info *info)
{
    static const char verbs[] = "verbs";
    const char *provider = info->fabric_attr->prov_name;
    size_t length = sizeof verbs - 1;
    bool same = strncmp(provider, verbs, length) == 0;
    return same && (provider[length] == ';' || provider[length] == '\0') ? HY_NET_VERBS
                                                                         : HY_NET_TCP;
}
