// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

/**
 * Some scenarios have hundreds of cases: every collective, in every way, on every memory. Jobs of
 * different settings share them out: each case is run by one of them. Which one it is depends on
 * the number of the case alone, so that all ranks of a job agree; and jobs do not all have as many
 * ranks, so that a case is counted outside of any loop over these.
 */
final class Share {
    /** Property {@code i/n}: the job is number i of n that share. Without it it runs all cases. */
    static final String PROPERTY = "hayate.test.share";

    private final int index;
    private final int count;
    private long next;

    private Share(int index, int count) {
        this.index = index;
        this.count = count;
    }

    static Share ofThisJob() {
        return of(System.getProperty(PROPERTY, "0/1"));
    }

    static Share of(String text) {
        String[] words = text.split("/");
        return new Share(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
    }

    /** Whether this job runs the next case. Numbers are scattered, as loops have periods. */
    boolean takesNext() {
        long scattered = (++next * 0x9E3779B97F4A7C15L) >>> 33;
        return scattered % count == index;
    }
}
