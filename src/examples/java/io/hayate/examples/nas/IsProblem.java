// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.List;

/** Sizes of the integer sort, all powers of two, and the keys whose ranks are known. */
record IsProblem(int keys, int keyLimit, int buckets, List<TestKey> testKeys) {
    static final int ITERATIONS = 10;

    /** Of the key at `index` of all keys: the iterations change other keys, and so its rank. */
    record TestKey(int index, int rank, int slope, int from) {
        int rankIn(int iteration) {
            return rank + slope * (iteration - from);
        }
    }

    static IsProblem of(ProblemClass problem) {
        return switch (problem) {
            case S -> new IsProblem(1 << 16, 1 << 11, 1 << 9, List.of(
                    new TestKey(48427, 0, 1, 0), new TestKey(17148, 18, 1, 0),
                    new TestKey(23627, 346, 1, 0), new TestKey(62548, 64917, -1, 0),
                    new TestKey(4431, 65463, -1, 0)));
            case W -> new IsProblem(1 << 20, 1 << 16, 1 << 10, List.of(
                    new TestKey(357773, 1249, 1, 2), new TestKey(934767, 11698, 1, 2),
                    new TestKey(875723, 1039987, -1, 0), new TestKey(898999, 1043896, -1, 0),
                    new TestKey(404505, 1048018, -1, 0)));
            case A -> new IsProblem(1 << 23, 1 << 19, 1 << 10, List.of(
                    new TestKey(2112377, 104, 1, 1), new TestKey(662041, 17523, 1, 1),
                    new TestKey(5336171, 123928, 1, 1), new TestKey(3642833, 8288932, -1, 1),
                    new TestKey(4250760, 8388264, -1, 1)));
            case B -> new IsProblem(1 << 25, 1 << 21, 1 << 10, List.of(
                    new TestKey(41869, 33422937, -1, 0), new TestKey(812306, 10244, 1, 0),
                    new TestKey(5102857, 59149, 1, 0), new TestKey(18232239, 33135281, -1, 0),
                    new TestKey(26860214, 99, 1, 0)));
        };
    }

    /** A bucket is the keys that differ in that many low bits only. */
    int bucketShift() {
        return Integer.numberOfTrailingZeros(keyLimit / buckets);
    }
}
