/* SPDX-License-Identifier: Apache-2.0 */
#include "sched/model.h"

#define KI UINT64_C(1024)
#define MI (KI * KI)

const uint64_t hy_curve_bytes[HY_CURVE_POINTS] = {
    64, 512, 4 * KI, 32 * KI, 256 * KI, MI, 4 * MI, 16 * MI,
};

/* Below the first point and beyond the last one the neighbouring line goes on, never below 0. */
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

/* A server processor of about 2022, its cores sharing a last-level cache: a line goes to another
 * core and back in 110 ns, a core copies 10 to 25 bytes per ns out of its own caches and 6 to 8 out
 * of another's, the kernel's single copy starts after 600 ns. */
hy_model hy_model_default(int cpus)
{
    return (hy_model){
        .signal = 10,
        .flight = 50,
        .take = 10,
        .step = 5,
        .turn = 900,
        .start = 40,
        .payload_out = {{8, 36, 300, 2600, 24e3, 105e3, 460e3, 2.1e6}},
        .payload_in = {{30, 85, 620, 4900, 40e3, 165e3, 700e3, 3.2e6}},
        .copy = {{5, 24, 180, 1700, 17e3, 85e3, 420e3, 2.0e6}},
        .put = {{15, 70, 520, 4300, 36e3, 150e3, 650e3, 3.0e6}},
        .get = {{35, 90, 620, 4900, 40e3, 165e3, 700e3, 3.2e6}},
        .single = {{610, 665, 1100, 4600, 32e3, 127e3, 510e3, 2.2e6}},
        .reduce = {{10, 55, 430, 3800, 32e3, 140e3, 600e3, 2.7e6}},
        .reduce_get = {{45, 130, 850, 6600, 54e3, 220e3, 920e3, 4.1e6}},
        .bandwidth = 12,
        .cached = 16 * MI,
        .cpus = cpus > 0 ? cpus : 1,
    };
}
