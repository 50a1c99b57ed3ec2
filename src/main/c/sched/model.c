/* SPDX-License-Identifier: Apache-2.0 */
/* The default model, and interpolation in its curves. */
#include "sched/model.h"

#include <string.h>

#define KI UINT64_C(1024)
#define MI (KI * KI)

const uint64_t hy_curve_bytes[HY_CURVE_POINTS] = {
    64, 512, 4 * KI, 32 * KI, 256 * KI, MI, 4 * MI, 16 * MI,
};

/* Below the first and beyond the last point, the neighbouring line is extended, but never below
 * 0. */
double hy_curve_at(const hy_curve *curve, uint64_t bytes)
{
    int i = 0;
    if (bytes == 0) return 0;
    while (i < HY_CURVE_POINTS - 2 && bytes > hy_curve_bytes[i + 1]) i++;
    double from = (double)hy_curve_bytes[i], to = (double)hy_curve_bytes[i + 1];
    double slope = (curve->ns[i + 1] - curve->ns[i]) / (to - from);
    double ns = curve->ns[i] + slope * ((double)bytes - from);
    return ns > 0 ? ns : 0;
}

/* A server processor of about 2022, whose cores share a last-level cache: a cache line travels to
 * another core and back in 110 ns; a core copies about 18 bytes per ns out of its own caches and
 * those of another core, but only 8 into lines of which another core has a copy; the kernel's
 * single copy has a start-up time of 1000 ns. Nodes are connected by 25 Gbit/s Ethernet through the
 * kernel, or by a 100 Gbit/s network that the process uses directly. */
hy_model hy_model_default(int cpus)
{
    return (hy_model){
        .signal = 3,
        .flight = 50,
        .take = 5,
        .step = 3,
        .turn = 1200,
        .start = 30,
        .payload_out = {{10, 40, 480, 4000, 32e3, 130e3, 450e3, 2.2e6}},
        .payload_in = {{32, 60, 260, 2000, 14e3, 55e3, 230e3, 1.4e6}},
        .copy = {{8, 40, 350, 3000, 24e3, 100e3, 350e3, 1.8e6}},
        .put = {{15, 60, 480, 4000, 32e3, 130e3, 450e3, 2.2e6}},
        .get = {{35, 60, 260, 2200, 14e3, 55e3, 230e3, 1.4e6}},
        .single = {{1000, 1050, 1500, 4500, 26e3, 105e3, 430e3, 2.4e6}},
        .reduce = {{10, 30, 200, 1600, 13e3, 52e3, 220e3, 1.3e6}},
        .reduce_get = {{40, 65, 280, 2300, 15e3, 60e3, 240e3, 1.5e6}},
        .bandwidth = 20,
        .cached = 16 * MI,
        .cpus = cpus > 0 ? cpus : 1,
        .nets = {[HY_NET_TCP] = {15000, 3000, 1500, 0.35}, [HY_NET_VERBS] = {1200, 150, 80, 0.085}},
    };
}

static hy_curve by_bytes(const hy_curve *curve, double once, double byte)
{
    hy_curve sum;
    for (int i = 0; i < HY_CURVE_POINTS; i++)
        sum.ns[i] = once + byte * (double)hy_curve_bytes[i] + (curve ? curve->ns[i] : 0);
    return sum;
}

hy_model hy_model_across(const hy_model *model)
{
    const hy_net_model *net = hy_model_net(model);
    const double trip = 2 * (net->latency + net->overhead);
    hy_model across = *model;
    across.signal = across.take = across.step = net->overhead;
    across.flight = net->latency + net->gap;
    across.payload_out = by_bytes(&model->payload_out, 0, net->byte);
    across.put = by_bytes(NULL, net->gap, net->byte);
    across.get = across.single = by_bytes(NULL, trip, net->byte);
    across.reduce_get = by_bytes(&model->reduce, trip, net->byte);
    return across;
}

static const char *const classes[HY_NETS] = {"tcp", "verbs"};

const char *hy_net_class_name(hy_net_class class)
{
    return (unsigned)class < HY_NETS ? classes[class] : "unknown";
}

bool hy_net_class_find(const char *name, hy_net_class *class)
{
    for (int i = 0; i < HY_NETS; i++) {
        if (strcmp(classes[i], name) != 0) continue;
        *class = (hy_net_class)i;
        return true;
    }
    return false;
}
