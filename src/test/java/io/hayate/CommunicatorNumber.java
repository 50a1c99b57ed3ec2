// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The number of a communicator on this rank in C, for tests in other packages. */
public final class CommunicatorNumber {
    /** Returns the number. */
    public static int of(Communicator communicator) {
        return communicator.state.number();
    }
}
