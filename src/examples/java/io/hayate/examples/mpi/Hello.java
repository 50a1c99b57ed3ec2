// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.mpi;

import io.hayate.Hayate;

/** Each rank says which one it is, and of how many. */
public final class Hello {
    private Hello() { }

    public static void main(String[] args) {
        try (Hayate job = Hayate.init()) {
            System.out.println("Hello from rank " + job.rank() + " of " + job.size() + ", Hayate "
                    + Hayate.version());
        }
    }
}
