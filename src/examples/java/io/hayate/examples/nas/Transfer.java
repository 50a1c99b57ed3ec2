// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/** A message that is sent or received again and again, from or into the same memory. */
interface Transfer {
    /** Begins; what was begun before is over. */
    void start();

    /** Waits until what was begun is over; returns at once if nothing was. */
    void await();

    /** Both, in one blocking call. */
    void run();
}
