// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A rank that has joined its job. */
@Name("io.hayate.Init")
@Label("Init")
@Description("A rank joined its job; the duration includes the wait for the other ranks")
@Category("Hayate")
@Enabled(false)
@StackTrace(false)
final class InitEvent extends Event implements Recorder.Joining {
    private static final InitEvent ANY = new InitEvent();

    @Label("Rank")
    int rank;

    @Label("Size")
    @Description("The number of ranks of the job")
    int size;

    @Label("Nodes")
    @Description("The number of nodes of the job")
    int nodes;

    static boolean isWanted() {
        return ANY.isEnabled();
    }

    static InitEvent begun() {
        InitEvent event = new InitEvent();
        event.begin();
        return event;
    }

    /** Records the same time for each rank of a team. */
    @Override
    public void joined(int joinedRank, int ranks, int nodeCount) {
        rank = joinedRank;
        size = ranks;
        nodes = nodeCount;
        commit();
    }
}
