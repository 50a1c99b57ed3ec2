// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal;

import com.sun.jna.Native;

/**
 * Tasks of a partitioned address space, by JNA, named as in {@link SetupBinding}. Spaces and tasks
 * are numbers, texts end with 0, results below 0 are codes. {@link NativeLoader#load()} comes
 * first.
 */
public final class PvasBinding {
    static {
        Native.register(PvasBinding.class, NativeLoader.library());
    }

    /** What a standard stream of a task is: this process's own. */
    public static final int INHERIT = 0;
    /** A pipe, whose other end is ours. */
    public static final int PIPE = 1;
    /** A file. */
    public static final int READ = 2;
    /** A file, emptied or made. */
    public static final int WRITE = 3;
    /** A file, extended or made. */
    public static final int APPEND = 4;
    /** The same as the standard output. */
    public static final int MERGE = 5;

    /**
     * Places in the result of {@link #pvasOpen}: three descriptors for the task, those of them to
     * be closed after the spawn, and our ends of its pipes; -1: none.
     */
    public static final int GIVEN = 0;
    public static final int OPENED = 3;
    public static final int PIPES = 6;
    /** Length of that result. */
    public static final int ENDS = 9;

    /** Places in the result of {@link #pvasSpawn}. */
    public static final int TASK = 0;
    public static final int PID = 1;
    public static final int WATCH = 2;
    /** Length of that result. */
    public static final int SPAWNED = 3;

    /** Places in the result of {@link #pvasImport}. */
    public static final int ADDRESS = 0;
    public static final int BYTES = 1;
    public static final int WRITABLE = 2;
    /** Length of that result. */
    public static final int IMPORTED = 3;

    /** In place of a task: who made the space. */
    public static final int CREATOR = -1;
    /** Not yet. */
    public static final int IN_PROGRESS = 1;
    /** SIGKILL. */
    public static final int KILL = 9;

    private PvasBinding() {
    }

    /** The number of a space, or a code. */
    public static native int pvasCreate(int tasks, long partitionBytes);

    public static native int pvasDestroy(int space);

    /**
     * The standard streams of a task, by their ways; files may be null where no file is meant.
     * Waits until the other end of a FIFO is opened. What is in the result is the caller's to
     * close, after a failure too.
     */
    public static native int pvasOpen(
            int[] ways, byte[] in, byte[] out, byte[] err, int[] result);

    /**
     * Texts of several are one behind the other. An environment entry with {@code =} sets, one
     * without removes; fresh: from nothing, not from this process's. streams: of
     * {@link #pvasOpen}.
     */
    public static native int pvasSpawn(int space, byte[] path, byte[] arguments, int argumentCount,
            byte[] environment, int environmentCount, int fresh, byte[] directory, int[] streams,
            long stackBytes, int group, int[] result);

    /** Kills a task, waits for it and gives it back: of a spawn that came to nothing. */
    public static native void pvasUndo(int space, int task);

    /** Blocks until the task has ended. status: exited (1), its code or signal, dumped (1). */
    public static native int pvasReap(int space, int task, int[] status);

    public static native int pvasKill(int space, int task, int signal);

    public static native int pvasReclaim(int space, int task);

    public static native int pvasHold(int space, int task);

    public static native int pvasDrop(int space, int task);

    /** Address 0: takes it back. */
    public static native int pvasExport(int space, byte[] name, long address, long bytes);

    /** 0, {@link #IN_PROGRESS} after so many milliseconds, or a code. */
    public static native int pvasImport(int space, int task, byte[] name, int timeout,
            long[] result);

    public static native int pvasSelf();

    /** A descriptor, or a code. */
    public static native int pvasWatchOpen();

    /** From now on the key comes out of {@link #pvasWatchWait} once the task has ended. */
    public static native int pvasWatchAdd(int watch, int task, long key);

    /** How many keys there are now, at most count; sleeps until there is one; -1: without limit. */
    public static native int pvasWatchWait(int watch, int timeout, long[] keys, int count);

    /** The task's own descriptor is closed. */
    public static native void pvasWatchEnd(int watch, int task);

    public static native void pvasClose(int descriptor);
}
