// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import com.sun.jna.Native;
import io.hayate.internal.natives.NativeLoader;

/**
 * The infrequent calls, by JNA: {@code fooBar} is {@code hayate_binding_foo_bar}. Handles are
 * addresses; results below 0 are codes. {@link NativeLoader#load()} must come first.
 */
public final class SetupBinding {
    static {
        Native.register(SetupBinding.class, NativeLoader.library());
    }

    /** The result of {@link #commCreate} on ranks that do not join. */
    public static final int NOT_A_MEMBER = Integer.MAX_VALUE;

    /** Room for a record of {@link #joinOffer} and {@link #joinBegin}. */
    public static final int OFFER_BYTES = 1024;

    /** The length of the key of a machine. */
    public static final int MACHINE_BYTES = 16;

    private SetupBinding() {
    }

    public static native long jobOpen();

    public static native long teamCreate(int size);

    public static native void teamDrop(long team);

    /** Declares that ranks which have not joined never will; waits for them fail. */
    public static native void teamGiveUp(long team);

    public static native long jobOpenIn(long team, int rank);

    /**
     * Begins to join a job without a launcher: stores what this rank tells the others in an array
     * of {@link #OFFER_BYTES}, and its length. The calls follow each other in this order; records
     * of all ranks are given one after the other, with their lengths.
     */
    public static native long joinOffer(int rank, int size, byte[] machine, byte[] record,
            int[] length);

    /** Stores the second record that this rank tells, and returns its length. */
    public static native int joinBegin(long join, int count, byte[] records, int[] lengths,
            byte[] record);

    /** Returns the job, or a code. The handle of the join is not valid any more. */
    public static native long joinFinish(long join, int count, byte[] records, int[] lengths);

    /**
     * Gives up, instead of the calls that have not been made. Returns the code of why this rank
     * could not have joined, or 0.
     */
    public static native int joinDrop(long join);

    /** Returns 1 if the process does not belong to the job, so that abort ends only the rank. */
    public static native int jobIsGuest(long job);

    public static native void jobClose(long job);

    /** Tells the launcher that the job is to end; the caller then ends the process. */
    public static native void jobAbort(long job, int code, String why);

    public static native void jobFree(long job);

    public static native int jobRank(long job);

    public static native int jobSize(long job);

    public static native int jobNodes(long job);

    /**
     * Returns what started the job: "local" (hayate run), "pmix", "pmi1", "bootstrap", "threads" or
     * "single".
     */
    public static native String jobLauncher(long job);

    public static native long jobAlloc(long job, long bytes);

    public static native int jobRelease(long job, long address);

    public static native long jobHeapFree(long job);

    public static native long jobHeapSize(long job);

    public static native long fmplOpen(long job, long match, long flags, long count);

    public static native int fmplClose(long fmpl);

    /** Limits blocking collectives to {@code nanos}; 0: no limit. */
    public static native void timeoutSet(long fmpl, long nanos);

    public static native long timeoutGet(long fmpl);

    public static native void fmplFree(long fmpl);

    public static native long omplOpen(long job, long bytes, int endpoints);

    /** Returns the number of endpoints in the list; 0: one per thread. */
    public static native int omplEndpoints(long ompl);

    public static native void omplClose(long ompl);

    public static native void omplFree(long ompl);

    /** Returns the address of this rank's part. */
    public static native long omplMemory(long ompl);

    public static native int commCreate(long fmpl, int join);

    public static native int commSplit(long fmpl, int comm, int color, int key);

    /** Makes a communicator of the members that live; collective over these. */
    public static native int commShrink(long fmpl, int comm);

    /**
     * Offers to create a communicator with ranks that this one has none in common with; 0: failed,
     * which the record tells. The record, of {@link #offerBytes} bytes, is for the others.
     */
    public static native long offerMake(long fmpl, int ranks, byte[] record);

    public static native int offerBytes();

    /** ranks, records: of all members, in the order of their numbers; self: this rank's number. */
    public static native int offerAccept(long offer, int self, int count, int[] ranks,
            byte[] records);

    /**
     * Ends an offer; verdict 0: all have accepted, 1: some have not, 2: not known. Returns the
     * number of the communicator, or {@link #NOT_A_MEMBER}.
     */
    public static native int offerEnd(long offer, int verdict);

    /** Returns the node of a rank of the job. */
    public static native int nodeOf(long fmpl, int rank);

    public static native int commFree(long fmpl, int comm);

    public static native int commRank(long fmpl, int comm);

    public static native int commSize(long fmpl, int comm);

    /** Returns 1 if a collective has failed after it had begun, else 0. */
    public static native int commIsBroken(long fmpl, int comm);

    /** Stores the ranks of the job that the members are. */
    public static native int commMembers(long fmpl, int comm, int[] ranks, int size);

    public static native int sendBufferSet(long fmpl, long address, long bytes, int timeoutMicros);

    /** result: sent since the last check, still waiting. */
    public static native int sendBufferCheck(long fmpl, int[] result);

    /** Returns the number of bytes freed, or a code. */
    public static native long fmplTrim(long fmpl);

    public static native int breakdownSet(long fmpl, int on);

    /** result: six medians in nanoseconds, then the number of samples. */
    public static native int breakdownGet(long fmpl, double[] result);

    /** Returns an address inside the library that JNA has loaded. */
    public static native long identity();

    /** "MAJOR.MINOR.PATCH". */
    public static native String version();

    /** Returns the short name of a code. */
    public static native String strerror(int code);

    /** Returns the name of a path by its number from 0; null after the last. */
    public static native String pathName(int index);

    /** Returns why this process cannot use the path; null if it can. */
    public static native String pathReason(int index);

    /** Writes a text in UTF-8, with a final 0. */
    public static native void peerWay(long job, int rank, byte[] text, int room);

    /** Returns the node of a rank, from 0. */
    public static native int peerNode(long job, int rank);

    /** Returns the name of the path to a rank. */
    public static native String peerPath(long job, int rank);

    /** Writes a text in UTF-8, with a final 0. */
    public static native void peerWhy(long job, int rank, byte[] text, int room);

    /** Describes the path to a rank, and the reason. */
    public static String path(long job, int rank) {
        byte[] text = new byte[512];
        peerWhy(job, rank, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** Describes the protocol of long messages with a rank, and the reason. */
    public static String longMessages(long job, int rank) {
        byte[] text = new byte[512];
        peerWay(job, rank, text, text.length);
        return Native.toString(text, "UTF-8");
    }

    /** Returns the path of the single copy with a rank; null if there is none. */
    public static native String peerSingle(long job, int rank);

    /** Returns why there is no single copy with a rank; null if there is one. */
    public static native String peerReason(long job, int rank);

    /** Returns HAYATE_RENDEZVOUS: "auto", "pipeline", "cma", "heap", "direct". */
    public static native String rendezvous(long job);

    /** Returns the length of the longest message that is sent eagerly, in bytes. */
    public static native long eagerLimit(long job);
}
