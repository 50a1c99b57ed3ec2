// SPDX-License-Identifier: Apache-2.0
package io.hayate.random;

/**
 * Fills the Java heap except for some bytes. It is exact to the alignment of an object if threads
 * have no allocation buffers: {@code -XX:+UseSerialGC -XX:-UseTLAB}.
 */
final class Ballast {
    /** References of a node; each size fills what the one before has left. */
    private static final int[] SIZES = {1 << 15, 1 << 8, 1};

    /** Each node has the next one in its first place. */
    private volatile Object[] chain;

    /** Nothing is left. */
    void fill() {
        for (int references : SIZES) {
            fill(references);
        }
    }

    /** Takes what has been given back since, if it is little. */
    void top() {
        fill(1);
    }

    private void fill(int references) {
        try {
            while (true) {
                Object[] node = new Object[references];
                node[0] = chain;
                chain = node;
            }
        } catch (OutOfMemoryError full) {
            // that is what was wanted
        }
    }

    void drop() {
        chain = null;
    }
}
