// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import java.util.List;
import java.util.function.UnaryOperator;

/** Can ranks of this machine reach those of others, and by what? */
final class NetworkChecks {
    /** In the order of preference. */
    private static final List<String> NETWORKS = List.of("verbs", "ofi");
    private static final String HELP = "only jobs on several nodes want one: libfabric"
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
                return Finding.ok("network", network + " reaches other nodes" + lacking);
            }
            lacking.append("; not ").append(network).append(": ").append(reason);
        }
        return Finding.warn("network", "none reaches other nodes" + lacking, HELP);
    }
}
