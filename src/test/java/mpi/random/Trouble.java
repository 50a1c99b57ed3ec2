// SPDX-License-Identifier: Apache-2.0
package mpi.random;

/** What MPI does not allow has come to pass. */
final class Trouble {
    private Trouble() {
    }

    static void unless(boolean holds, String what, Object... arguments) {
        if (!holds) {
            throw new AssertionError(String.format(what, arguments));
        }
    }
}
