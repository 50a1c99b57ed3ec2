// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/**
 * The three arguments that the launcher of MPJ Express puts before those of the program: the rank,
 * the size and the device. The main method gets them, and Init drops them. Here only
 * {@code hayate run --mpj-arguments} adds them, and says so.
 */
final class MpjArguments {
    static final String ADDED = "hayate.mpj.arguments";
    static final int COUNT = 3;

    private MpjArguments() {
    }

    static String[] drop(String[] args) {
        boolean has = args != null && args.length >= COUNT && Boolean.getBoolean(ADDED);
        return has ? Arrays.copyOfRange(args, COUNT, args.length) : args;
    }
}
