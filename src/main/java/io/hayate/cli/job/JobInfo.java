// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.job;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.DelegationBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.ErrorBinding;
import io.hayate.internal.natives.NativeLoader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The job that this process is a rank of. */
public final class JobInfo {
    private JobInfo() {
    }

    /**
     * Returns whether hayate run, PMIx or PMI-1 started this process, by the rules of the native
     * library.
     */
    public static boolean isRank() {
        return has("HAYATE_BOOT_FD") || has("PMIX_NAMESPACE") && has("PMIX_RANK")
                || has("PMI_FD") || has("PMI_PORT");
    }

    private static boolean has(String variable) {
        String value = System.getenv(variable);
        return value != null && !value.isEmpty();
    }

    /** Joins the job and leaves it again; empty outside a job. Collective. */
    public static Map<String, Object> ofEnvironment() {
        if (!isRank()) {
            return Map.of();
        }
        NativeLoader.load();
        long job = SetupBinding.jobOpen();
        if (job < 0) {
            throw new CommandFailure("cannot join the job: " + ErrorBinding.text());
        }
        try {
            return describe(job);
        } finally {
            SetupBinding.jobClose(job);
            SetupBinding.jobFree(job);
        }
    }

    private static Map<String, Object> describe(long job) {
        Map<String, Object> info = new LinkedHashMap<>();
        info.put("rank", SetupBinding.jobRank(job));
        info.put("size", SetupBinding.jobSize(job));
        info.put("node", SetupBinding.peerNode(job, SetupBinding.jobRank(job)));
        info.put("launcher", SetupBinding.jobLauncher(job));
        info.put("pid", ProcessHandle.current().pid());
        info.put("heap_bytes", SetupBinding.jobHeapSize(job));
        info.put("rendezvous", SetupBinding.rendezvous(job));
        info.put("eager_limit", SetupBinding.eagerLimit(job));
        DelegationBinding.View delegatee = DelegationBinding.ofJob(job);
        if (delegatee != null) {
            info.put("delegatee", Delegatee.json(delegatee));
        }
        info.put("peers", peers(job));
        return info;
    }

    private static List<Map<String, Object>> peers(long job) {
        List<Map<String, Object>> peers = new ArrayList<>();
        for (int rank = 0; rank < SetupBinding.jobSize(job); rank++) {
            if (rank == SetupBinding.jobRank(job)) {
                continue;
            }
            Map<String, Object> peer = new LinkedHashMap<>();
            String single = SetupBinding.peerSingle(job, rank);
            peer.put("rank", rank);
            peer.put("node", SetupBinding.peerNode(job, rank));
            peer.put("path", SetupBinding.peerPath(job, rank));
            peer.put("why", SetupBinding.path(job, rank));
            peer.put("single_copy", single);
            peer.put("reason", single == null ? SetupBinding.peerReason(job, rank) : null);
            peer.put("long_messages", SetupBinding.longMessages(job, rank));
            peers.add(peer);
        }
        return peers;
    }
}
