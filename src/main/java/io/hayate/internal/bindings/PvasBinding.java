// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * Tasks of a partitioned address space, by JNA, named as in {@link SetupBinding}. Spaces and tasks
 * are numbers, texts end with 0, results below 0 are codes. {@link NativeLoader#load()} comes
 * first.
 */
public final class PvasBinding {
    static {
        Native.register(PvasBinding.class, NativeLoader.library());
    }

    /** Kind of a standard stream of a task: the stream of this process. */
    public static final int INHERIT = 0;
    /** A pipe, whose other end this process holds. */
    public static final int PIPE = 1;
    /** A file. */
    public static final int READ = 2;
    /** A file, truncated or created. */
    public static final int WRITE = 3;
    /** A file, appended to or created. */
    public static final int APPEND = 4;
    /** The same as the standard output. */
    public static final int MERGE = 5;

    /**
     * Indices in the result of {@link #pvasOpen}: three descriptors for the task, those of them to
     * close after the spawn, and this process's ends of its pipes; -1: none.
     */
    public static final int GIVEN = 0;
    public static final int OPENED = 3;
    public static final int PIPES = 6;
    /** Length of that result. */
    public static final int ENDS = 9;

    /** Indices in the result of {@link #pvasSpawn}. */
    public static final int TASK = 0;
    public static final int PID = 1;
    public static final int WATCH = 2;
    /** Length of that result. */
    public static final int SPAWNED = 3;

    /** Indices in the result of {@link #pvasImport}. */
    public static final int ADDRESS = 0;
    public static final int BYTES = 1;
    public static final int WRITABLE = 2;
    /** Length of that result. */
    public static final int IMPORTED = 3;

    /** In place of a task: the creator of the space. */
    public static final int CREATOR = -1;
    /** The code of an operation that is not complete. */
    public static final int IN_PROGRESS = 1;
    /** SIGKILL. */
    public static final int KILL = 9;

    private PvasBinding() {
    }

    /** Returns the number of a space, or a code. */
    public static native int pvasCreate(int tasks, long partitionBytes);

    public static native int pvasDestroy(int space);

    /**
     * Opens the standard streams of a task according to their kinds; files may be null for streams
     * without a file. Waits until the other end of a FIFO is opened. The caller must close the
     * descriptors in the result, also after a failure.
     */
    public static native int pvasOpen(
            int[] ways, byte[] in, byte[] out, byte[] err, int[] result);

    /**
     * Starts a task. Several texts follow each other. An environment entry with {@code =} sets a
     * variable, one without removes it; fresh: the environment starts empty, not as that of this
     * process. streams: the result of {@link #pvasOpen}.
     */
    public static native int pvasSpawn(int space, byte[] path, byte[] arguments, int argumentCount,
            byte[] environment, int environmentCount, int fresh, byte[] directory, int[] streams,
            long stackBytes, int group, int[] result);

    /** Kills a task, waits for it and reclaims it, after a spawn that failed. */
    public static native void pvasUndo(int space, int task);

    /** Blocks until the task has ended. status: exited (1), its code or signal, dumped (1). */
    public static native int pvasReap(int space, int task, int[] status);

    public static native int pvasKill(int space, int task, int signal);

    public static native int pvasReclaim(int space, int task);

    public static native int pvasHold(int space, int task);

    public static native int pvasDrop(int space, int task);

    /** Publishes an export; address 0 withdraws it. */
    public static native int pvasExport(int space, byte[] name, long address, long bytes);

    /** Returns 0, {@link #IN_PROGRESS} after the given number of milliseconds, or a code. */
    public static native int pvasImport(int space, int task, byte[] name, int timeout,
            long[] result);

    public static native int pvasSelf();

    /** Returns a descriptor, or a code. */
    public static native int pvasWatchOpen();

    /** From now on {@link #pvasWatchWait} returns the key when the task has ended. */
    public static native int pvasWatchAdd(int watch, int task, long key);

    /**
     * Sleeps until there is a key, and returns the number of keys, at most count; -1: without
     * limit.
     */
    public static native int pvasWatchWait(int watch, int timeout, long[] keys, int count);

    /** Closes the descriptor of the task. */
    public static native void pvasWatchEnd(int watch, int task);

    public static native void pvasClose(int descriptor);
}
