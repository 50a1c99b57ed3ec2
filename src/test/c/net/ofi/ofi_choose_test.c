/* SPDX-License-Identifier: Apache-2.0 */
/* What is told of an offer of libfabric's. */
#include "net/ofi/ofi_choose.h"

#include "base/test.h"

#include <rdma/fi_domain.h>

/* An interface may have any name. */
TEST(should_class_a_network_by_its_provider_alone)
{
    static const struct {
        const char *provider, *device;
        hy_net_class class;
    } offers[] = {
        {"tcp;ofi_rxm", "eth0", HY_NET_TCP},     {"verbs;ofi_rxm", "mlx5_0", HY_NET_VERBS},
        {"tcp;ofi_rxm", "verbs0", HY_NET_TCP},   {"verbs", "eth0", HY_NET_VERBS},
        {"verbs;ofi_rxd", "rxe0", HY_NET_VERBS}, {"verbsnot;ofi_rxm", "verbs", HY_NET_TCP},
        {"udp;ofi_rxd", "verbs", HY_NET_TCP},    {"shm", "shm", HY_NET_TCP},
    };
    for (size_t i = 0; i < sizeof offers / sizeof *offers; i++) {
        struct fi_fabric_attr fabric = {.prov_name = (char *)(uintptr_t)offers[i].provider};
        struct fi_domain_attr domain = {.name = (char *)(uintptr_t)offers[i].device};
        const struct fi_info info = {.fabric_attr = &fabric, .domain_attr = &domain};
        assert_int_equal(hy_ofi_class(&info), offers[i].class);
    }
}

int main(void)
{
    return tests_run();
}
