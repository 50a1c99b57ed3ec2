// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.util.List;
import java.util.function.UnaryOperator;

/** Checks which networks let ranks of this machine reach ranks of others. */
final class NetworkChecks {
    /** In order of preference. */
    private static final List<String> NETWORKS = List.of("verbs", "ofi");
    private static final String HELP = "only jobs on several nodes need a network: libfabric"
            + " (Debian: apt-get install libfabric1), or an RDMA device with"
            + " libibverbs1 and ibverbs-providers";

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
}
