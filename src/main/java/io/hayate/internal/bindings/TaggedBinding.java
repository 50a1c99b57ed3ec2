// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.bindings;

import io.hayate.internal.errors.Outcome;
import java.lang.annotation.Native;

/**
 * Messages with tags, by JNI. Callers check ranges, and keep the objects and the memory reachable
 * until the call returns, or the request is complete.
 *
 * <p>Memory is an array with {@code start}, or null with an address, as of a {@code Memory}; or a
 * direct buffer, with {@link #DIRECT} plus the offset from its first byte. {@code member} and
 * {@code tag} of a receive or a probe may be -1: any. {@code long} results of messages are
 * {@link Outcome}s; what a receive got is in {@code status[0]}, the member, and {@code status[1]},
 * the tag.
 */
public final class TaggedBinding {
    /** {@code start} of a direct buffer; the offset in it is added. */
    @Native public static final long DIRECT = 1L << 62;
    /** Modes of a send. */
    public static final int STANDARD = 0;
    public static final int SYNCHRONOUS = 1;
    /** {@code member} or {@code tag}. */
    public static final int ANY = -1;

    static {
        prepare();
    }

    private TaggedBinding() {
    }

    private static native boolean prepare();

    /** Collective over the job. Returns the object, or a code. */
    public static native long open(long fmpl);

    public static native void close(long tags);

    public static native void free(long tags);

    /** Collective over a communicator. Returns the object, or a code. */
    public static native long openOn(long tags, int communicator);

    /** The same for messages to and from some members only, which are numbered from 0. */
    public static native long openPart(long tags, int communicator, int first, int count);

    public static native void closeOn(long tagged);

    /** Returns 0, or a code. */
    public static native int sendDirect(
            long tagged, Object buffer, long offset, long bytes, int member, int tag);

    /** The same by any kind of memory. */
    public static native int send(
            long tagged, Object array, long start, long bytes, int member, int tag, int mode);

    /** Of one source and one tag. */
    public static native long recvDirect(
            long tagged, Object buffer, long offset, long bytes, int member, int tag);

    /** status: may be null. */
    public static native long recv(
            long tagged, Object array, long start, long bytes, int member, int tag, long[] status);

    public static native long isend(
            long tagged, Object array, long start, long bytes, int member, int tag, int mode);

    /** Sends a copy, and never waits. Returns 0, or a code. */
    public static native int bsend(
            long tagged, Object array, long start, long bytes, int member, int tag);

    public static native long irecv(
            long tagged, Object array, long start, long bytes, int member, int tag, long[] status);

    /** Waits for a request, or looks once; above 0: it is not complete. */
    public static native long await(long tags, long request, boolean once, long[] status);

    /**
     * Waits for one of the requests that are not 0, or looks once. Returns its index; -1: all are
     * 0, or none is complete. Its outcome is in status[2]; above 0: none is complete.
     */
    public static native int awaitAny(long tags, long[] requests, boolean once, long[] status);

    /**
     * Waits for all requests from an index on that are not 0, up to the first one that fails.
     * Returns the index behind the last one that was waited for. found: source, tag and outcome of
     * each.
     */
    public static native int awaitAll(long tags, long[] requests, int from, long[] found);

    /** Asks to end it early; it must be waited for all the same. Returns 0, or a code. */
    public static native int cancel(long tags, long request);

    /** Returns the bytes of copies that are not sent yet. */
    public static native long buffered(long tags);

    /**
     * Waits until all copies are sent, but for those to ranks that have ended. Returns 0, or a
     * code.
     */
    public static native int settle(long tags);

    /** Starts a receive of any length, whose message {@link #awaitNew} returns. */
    public static native long irecvNew(long tagged, int member, int tag);

    /**
     * Waits for such a receive, or looks once, as {@link #await}. The outcome is in status[2]; null
     * unless that is complete.
     */
    public static native byte[] awaitNew(long tags, long request, boolean once, long[] status);

    /**
     * Looks for a message; above 0: there is none. With {@code take} it is taken out: only
     * {@link #receiveTaken} with status[2] receives it.
     */
    public static native long probe(
            long tagged, int member, int tag, boolean wait, boolean take, long[] status);

    /** Returns a request, or a code. */
    public static native long receiveTaken(
            long tagged, long taken, Object array, long start, long bytes);

    /** The same for a message of any length, which {@link #awaitNew} returns. */
    public static native long receiveTakenNew(long tagged, long taken);
}
