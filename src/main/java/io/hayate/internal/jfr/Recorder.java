// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.jfr;

import io.hayate.HayateException;
import java.util.function.LongSupplier;
import jdk.jfr.FlightRecorder;

/**
 * Tells the flight recorder of the JVM what a rank does: {@code io.hayate.Init},
 * {@code io.hayate.Operation} and {@code io.hayate.Failure}. The classes of events are loaded only
 * if the JVM has the module jdk.jfr and its recorder has been started.
 *
 * <p>While the recorder has not been started, {@link #isOff} is one load, and afterwards, until a
 * recording asks for an event, a few.
 */
public final class Recorder {
    private static final boolean PRESENT = isPresent();

    /** A job that ranks join. */
    public interface Joining {
        /** A rank of this process has joined. */
        void joined(int rank, int size, int nodes);
    }

    private Recorder() {
    }

    /** In a program of modules, jdk.jfr may be missing, or may not be readable from here. */
    private static boolean isPresent() {
        return ModuleLayer.boot().findModule("jdk.jfr")
                .filter(Recorder.class.getModule()::canRead).isPresent();
    }

    /** Returns whether no recording asks for operations or failures. */
    public static boolean isOff() {
        return !isRunning() || !OperationEvent.isWanted() && !FailureEvent.isWanted();
    }

    /** The first class of an event takes the JVM 50 to 100 ms: not before there is a recorder. */
    private static boolean isRunning() {
        return PRESENT && FlightRecorder.isInitialized();
    }

    /**
     * Makes a call, and records it if it lasts longer than the threshold, and its failure.
     *
     * @param operation what {@code hayate stat --waits} calls it
     * @param rank the rank that calls
     * @param peer the rank that it depends on; -1: several, or none
     * @param mai of a message; -1: none
     * @param bytes of the message, of its buffer, or of the data of a collective
     */
    public static long record(String operation, int rank, int peer, int mai, long bytes,
            LongSupplier call) {
        if (!isRunning()) {
            return call.getAsLong();
        }
        Object begun = OperationEvent.begin(operation, rank, peer, mai, bytes);
        try {
            return call.getAsLong();
        } catch (HayateException failure) {
            FailureEvent.record(rank, failure);
            throw failure;
        } finally {
            OperationEvent.end(begun);
        }
    }

    /** The same for a call without result. */
    public static void record(String operation, int rank, int peer, int mai, long bytes,
            Runnable call) {
        record(operation, rank, peer, mai, bytes, () -> {
            call.run();
            return 0;
        });
    }

    /** Called before ranks join a job; null: nobody wants to know. */
    public static Joining joining() {
        return isRunning() && InitEvent.isWanted() ? InitEvent.begun() : null;
    }
}
