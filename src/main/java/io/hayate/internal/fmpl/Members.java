// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.Errors;
import java.lang.ref.Reference;
import java.util.Arrays;

/** The members of a communicator as ranks of the job. Each look-up is one load of an array. */
public final class Members {
    private final int[] jobRanks; // by member
    private final int[] members; // by rank of the job; -1: none

    private Members(int[] jobRanks, int jobSize) {
        this.jobRanks = jobRanks;
        members = new int[jobSize];
        Arrays.fill(members, -1);
        for (int member = 0; member < jobRanks.length; member++) {
            members[jobRanks[member]] = member;
        }
    }

    static Members of(FmplContext context, int communicator, int rank, int size) {
        int[] jobRanks = new int[size];
        if (rank >= 0) {
            Errors.check(SetupBinding.commMembers(context.handle(), communicator, jobRanks, size));
        }
        Reference.reachabilityFence(context);
        return new Members(jobRanks, context.job().size());
    }

    /** Returns the rank of the job that a member is. */
    public int jobRank(int member) {
        if (member < 0 || member >= jobRanks.length) {
            throw Errors.argument("rank " + member + " of a communicator: expected 0 to "
                    + (jobRanks.length - 1) + (jobRanks.length == 0 ? "; it has no members" : ""));
        }
        return jobRanks[member];
    }

    /** Returns the member that a rank of the job is; -1: it is none. */
    public int rankOf(int jobRank) {
        if (jobRank < 0 || jobRank >= members.length) {
            throw Errors.argument("rank " + jobRank + ": expected 0 to " + (members.length - 1));
        }
        return members[jobRank];
    }
}
