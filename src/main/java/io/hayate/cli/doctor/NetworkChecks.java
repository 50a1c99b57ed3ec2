// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.doctor;

import java.util.List;
import java.util.function.UnaryOperator;

/** Checks which networks let ranks of this machine reach ranks of others, and delegation. */
final class NetworkChecks {
    /** In order of preference. */
    private static final List<String> NETWORKS = List.of("verbs", "ofi");
    private static final String HELP = "only jobs on several nodes need a network: libfabric"
            + " (Debian: apt-get install libfabric1), or an RDMA device with"
            + " libibverbs1 and ibverbs-providers";

    /** For a rank and a delegatee. */
    private static final int CPUS = 2;

    private final UnaryOperator<String> reasons;

    /** {@code reasons}: why a network cannot be used by this process, or null. */
    NetworkChecks(UnaryOperator<String> reasons) {
        this.reasons = reasons;
    }

    Finding network() {
        StringBuilder lacking = new StringBuilder();
        for (String network : NETWORKS) {
            String reason = reasons.apply(network);
            if (reason == null) {
                return Finding.ok("network", network + " can reach other nodes" + lacking);
            }
            lacking.append("; ").append(network).append(" cannot: ").append(reason);
        }
        return Finding.warn("network", "no network can reach other nodes" + lacking, HELP);
    }

    /**
     * Whether a delegatee ({@code hayate run --delegate}) would do its work without additional
     * copies, and beside the ranks. A machine that needs none has no problem.
     */
    Finding delegation(int cpus) {
        String reason = reasons.apply("cma");
        String reach = reason == null ? "a delegatee can access all memory of the ranks by cma"
                : "a delegatee cannot access memory outside of the heap (" + reason
                        + "): ranks copy such data through a buffer";
        if (cpus < CPUS) {
            return Finding.warn("delegation", reach + "; this process may use " + cpus
                    + " CPU, so a delegatee takes time from the ranks",
                    "give hayate run two CPUs or more, or do without --delegate");
        }
        return reason == null ? Finding.ok("delegation", reach + "; " + cpus + " CPUs for ranks"
                + " and delegatee") : Finding.warn("delegation", reach, "see cma; or use buffers"
                        + " of the heap");
    }
}
