// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

/** Memory segments. The work is in {@link SegmentWork}, so that Java 17 can list these. */
final class SegmentScenarios {
    @Scenario(java = 22)
    static void should_carry_segments_of_every_kind(Rank rank) {
        SegmentWork.carry(rank);
    }

    @Scenario(java = 22)
    static void should_refuse_segments_that_cannot_be_used(Rank rank) throws Exception {
        SegmentWork.refuse(rank);
    }

    @Scenario(java = 22)
    static void should_reduce_in_segments(Rank rank) {
        SegmentWork.reduce(rank);
    }
}
