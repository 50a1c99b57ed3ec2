// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.jfr;

import io.hayate.HayateException;
import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A call that failed. */
@Name("io.hayate.Failure")
@Label("Failure")
@Description("A call of Hayate that ended with an exception")
@Category("Hayate")
@Enabled(false)
final class FailureEvent extends Event {
    private static final FailureEvent ANY = new FailureEvent();

    @Label("Rank")
    int rank;

    @Label("Peer")
    @Description("The rank that the failure concerns; -1: none")
    int peer;

    @Label("Exception")
    String exception;

    @Label("Text")
    String text;

    static boolean isWanted() {
        return ANY.isEnabled();
    }

    /** Without memory for the record there is none. */
    static void record(int rank, HayateException failure) {
        try {
            FailureEvent event = new FailureEvent();
            event.rank = rank;
            event.peer = failure.peer();
            event.exception = failure.getClass().getSimpleName();
            event.text = failure.reason();
            event.commit();
        } catch (OutOfMemoryError full) {
            return;
        }
    }
}
