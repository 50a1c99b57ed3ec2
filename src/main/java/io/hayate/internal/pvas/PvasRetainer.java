// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

/** An object that can keep the memory of a task from being reclaimed. */
public interface PvasRetainer {
    /** The retainer for imports in a task: the creator of the space keeps their memory. */
    PvasRetainer NOBODY = new PvasRetainer() {
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
     * Keeps the memory until {@link #drop()} has been called as often as this method.
     *
     * @throws ClosedException if the memory is reclaimed already
     */
    void hold();

    void drop();
}
