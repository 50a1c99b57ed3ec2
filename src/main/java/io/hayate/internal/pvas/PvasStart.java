// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.VirtualThreads;
import java.util.Arrays;

/** One spawn of a program: its texts in the form of C, and its standard streams. */
public final class PvasStart implements AutoCloseable {
    private final byte[] path;
    private final byte[] arguments;
    private final int argumentCount;
    private final byte[] variables;
    private final int variableCount;
    private final boolean freshEnvironment;
    private final byte[] directory;
    private final int[] ways;
    private final byte[][] files;
    private final long stackBytes;
    private final boolean ownGroup;
    private final int[] ends = new int[PvasBinding.ENDS];

    public PvasStart(byte[] path, byte[] arguments, int argumentCount, byte[] variables,
            int variableCount, boolean freshEnvironment, byte[] directory, int[] ways,
            byte[][] files, long stackBytes, boolean ownGroup) {
        this.path = path;
        this.arguments = arguments;
        this.argumentCount = argumentCount;
        this.variables = variables;
        this.variableCount = variableCount;
        this.freshEnvironment = freshEnvironment;
        this.directory = directory;
        this.ways = ways;
        this.files = files;
        this.stackBytes = stackBytes;
        this.ownGroup = ownGroup;
        Arrays.fill(ends, -1);
    }

    /** Opens the streams. May wait for the other end of a FIFO, and holds no lock meanwhile. */
    void openStreams() {
        VirtualThreads.await(() -> Errors.check(
                PvasBinding.pvasOpen(ways, files[0], files[1], files[2], ends)));
    }

    /** Starts the program; returns the result of {@link PvasBinding#pvasSpawn}. */
    int[] spawn(int space) {
        int[] result = new int[PvasBinding.SPAWNED];
        Errors.check(PvasBinding.pvasSpawn(space, path, arguments, argumentCount, variables,
                variableCount, freshEnvironment ? 1 : 0, directory, ends, stackBytes,
                ownGroup ? 1 : 0, result));
        return result;
    }

    /** Returns this process's ends of the pipes; after keepPipes() the streams close them. */
    PvasStreams pipes() {
        return new PvasStreams(ends[PvasBinding.PIPES], ends[PvasBinding.PIPES + 1],
                ends[PvasBinding.PIPES + 2]);
    }

    void keepPipes() {
        Arrays.fill(ends, PvasBinding.PIPES, ends.length, -1);
    }

    /** Closes what this object still owns. */
    @Override
    public void close() {
        for (int i = PvasBinding.OPENED; i < ends.length; i++) {
            PvasBinding.pvasClose(ends[i]);
        }
    }
}
