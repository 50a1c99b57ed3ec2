// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

/** Memory segments. The work is in {@link SegmentWork}, so that Java 17 can list these. */
final class SegmentScenarios {
    private SegmentScenarios() {
    }

    @Scenario(java = 22)
    static void shouldCarrySegmentsOfEveryKind(Rank rank) {
        SegmentWork.carry(rank);
    }

    @Scenario(java = 22)
    static void shouldRefuseSegmentsThatCannotBeUsed(Rank rank) throws Exception {
        SegmentWork.refuse(rank);
    }

    @Scenario(java = 22)
    static void shouldReduceInSegments(Rank rank) {
        SegmentWork.reduce(rank);
    }
}
