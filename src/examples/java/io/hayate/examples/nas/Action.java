// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** A collective that is done again and again, with the same memory. */
interface Action extends AutoCloseable {
    /** Collective. */
    void run();

    @Override
    void close();
}
