/* SPDX-License-Identifier: Apache-2.0 */
/* Restricts who may connect. Providers over TCP listen on a socket of this process that libfabric
 * does not expose; it is found by the endpoint's address and gets a filter. A host that connects in
 * the moment between the start of listening and the filter stays connected. */
#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "base/log.h"
#include "net/ofi/ofi_net.h"

static bool is_bound_to(int fd, const void *address, size_t bytes)
{
    struct sockaddr_in6 its = {0};
    socklen_t length = sizeof its;
    return getsockname(fd, (struct sockaddr *)&its, &length) == 0 && length == bytes &&
           memcmp(&its, address, bytes) == 0;
}

/* A process rarely has more than some hundred descriptors. -1: not found, or the descriptors cannot
 * be listed. */
static int find_socket(const void *address, size_t bytes)
{
    DIR *all = opendir("/proc/self/fd");
    int found = -1;
    for (const struct dirent *i; all && found < 0 && (i = readdir(all));) {
        int fd = atoi(i->d_name);
        if (fd > 0 && is_bound_to(fd, address, bytes)) found = fd;
    }
    if (all) closedir(all);
    return found;
}

/* HAYATE_NET_DEVICE=lo: only this machine can reach it. */
static bool is_loopback(const ofi_endpoint *endpoint, uint32_t format)
{
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    if (format == FI_SOCKADDR_IN) {
        memcpy(&in, endpoint->address, sizeof in);
        return ntohl(in.sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
    }
    memcpy(&in6, endpoint->address, sizeof in6);
    return IN6_IS_ADDR_LOOPBACK(&in6.sin6_addr);
}

/* The job runs without the filter as well, so a failure is not an error. */
void ofi_guard(const ofi_endpoint *endpoint)
{
    const ofi_net *net = ofi_net_of(endpoint);
    uint32_t format = net->info->addr_format;
    char hosts[200];
    if (format != FI_SOCKADDR_IN && format != FI_SOCKADDR_IN6) return;
    if (is_loopback(endpoint, format)) return;
    int fd = find_socket(endpoint->address, endpoint->address_bytes);
    int family = format == FI_SOCKADDR_IN ? AF_INET : AF_INET6;
    hy_net_hosts_describe(&net->base.attr.hosts, hosts, sizeof hosts);
    if (fd < 0)
        hy_log(strstr(net->info->fabric_attr->prov_name, "tcp") ? HY_LOG_WARN : HY_LOG_INFO,
               "libfabric (%s): the endpoint's socket was not found, so any host"
               " may connect",
               net->info->fabric_attr->prov_name);
    else if (hy_net_hosts_guard(&net->base.attr.hosts, fd, family) != 0)
        hy_log(HY_LOG_WARN,
               "any host may connect to this rank: the kernel refuses SO_ATTACH_FILTER (errno"
               " %d)",
               errno);
    else hy_log(HY_LOG_INFO, "hosts that may connect to this rank: %s", hosts);
}
