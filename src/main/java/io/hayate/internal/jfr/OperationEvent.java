// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Threshold;

/** A call that waited. */
@Name("io.hayate.Operation")
@Label("Operation")
@Description("A call of Hayate that lasted longer than the threshold")
@Category("Hayate")
@Enabled(false)
@Threshold("10 ms")
final class OperationEvent extends Event {
    private static final OperationEvent ANY = new OperationEvent();

    @Label("Rank")
    int rank;

    @Label("Operation")
    String operation;

    @Label("Peer")
    @Description("The rank that the call depended on; -1: several, or none")
    int peer;

    @Label("mai")
    @Description("Of a message; -1: none")
    int mai;

    @Label("Bytes")
    @Description("Of the message, of its buffer, or of the data of a collective")
    @DataAmount
    long bytes;

    static boolean isWanted() {
        return ANY.isEnabled();
    }

    /** Returns the event for {@link #end}. */
    static Object begin(String operation, int rank, int peer, int mai, long bytes) {
        OperationEvent event = new OperationEvent();
        event.operation = operation;
        event.rank = rank;
        event.peer = peer;
        event.mai = mai;
        event.bytes = bytes;
        event.begin();
        return event;
    }

    /** Without memory for the record there is none: the operation is over all the same. */
    static void end(Object begun) {
        try {
            ((OperationEvent) begun).commit();
        } catch (OutOfMemoryError full) {
            return;
        }
    }
}
