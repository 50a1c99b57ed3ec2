// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

/** Whoever can keep the memory of a task from being reclaimed. */
public interface PvasKeeper {
    /** Of a task's own look at others: their creator keeps them. */
    PvasKeeper NOBODY = new PvasKeeper() {
        @Override
        public void hold() {
            // see PvasSelf
        }

        @Override
        public void drop() {
            // see PvasSelf
        }
    };

    /**
     * Until as many {@link #drop()}.
     *
     * @throws ClosedException if it is reclaimed already
     */
    void hold();

    void drop();
}
