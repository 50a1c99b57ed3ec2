// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** The numbers of ranks that a benchmark can be run on. */
enum RankCount {
    POWER_OF_TWO("a power of two") {
        @Override
        boolean allows(int ranks) {
            return Integer.bitCount(ranks) == 1;
        }
    },
    SQUARE("a square number") {
        @Override
        boolean allows(int ranks) {
            long root = Math.round(Math.sqrt(ranks));
            return root * root == ranks;
        }
    };

    private final String words;

    RankCount(String words) {
        this.words = words;
    }

    abstract boolean allows(int ranks);

    void require(int ranks) throws UsageException {
        if (!allows(ranks)) {
            throw new UsageException(ranks + " ranks: expected " + words);
        }
    }
}
