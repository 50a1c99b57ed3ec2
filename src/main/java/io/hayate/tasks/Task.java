// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import java.util.ArrayList;
import java.util.List;

/**
 * A task of this rank: what it needs, what it does, what it makes. Not to be changed, and not
 * safe for use by other threads, once its graph runs.
 */
public final class Task {
    /** What a task does. It may use the space, and throw anything. */
    public interface Body {
        /**
         * Runs once, on a thread of the pool.
         *
         * @throws Exception ends the graph on all ranks
         */
        void run() throws Exception;
    }

    /** A version of a region in this rank's part. */
    record Need(long flag, long version) {
    }

    /** A version of a region, and the other ranks that get it. */
    record Make(Region region, long version, int[] ranks) {
    }

    final TaskGraph graph;
    final int index;
    final String name;
    final Body body;
    final List<Need> needs = new ArrayList<>();
    final List<Make> makes = new ArrayList<>();
    final List<Task> after = new ArrayList<>();

    Task(TaskGraph graph, int index, String name, Body body) {
        this.graph = graph;
        this.index = index;
        this.name = name;
        this.body = body;
    }

    /**
     * Starts only when a version of a region is in this rank's part, or a later one.
     *
     * @param region where
     * @param version as its maker numbers it; 0 is always there
     * @return this
     */
    public Task needs(Region region, long version) {
        check(region, version, 0);
        if (version > 0) {
            needs.add(new Need(region.flag(), version));
        }
        return this;
    }

    /**
     * Writes a version of a region into this rank's part. When it is over the flag there becomes
     * the version, and data and flag are put into the parts of other ranks. The versions of a
     * region in a part must be made one after the other, and the next only when nobody reads the
     * one before any more.
     *
     * @param region where
     * @param version 1 or more
     * @param ranks who also gets it; this rank is left out
     * @return this
     */
    public Task makes(Region region, long version, int... ranks) {
        check(region, version, 1);
        if (ranks == null) {
            throw new TaskException("task " + name + ": the ranks that get it are null");
        }
        for (int rank : ranks) {
            if (rank < 0 || rank >= graph.size()) {
                throw new TaskException("task " + name + " gives to rank " + rank
                        + ": expected 0 to " + (graph.size() - 1));
            }
        }
        makes.add(new Make(region, version, ranks.clone()));
        return this;
    }

    /**
     * Starts only when another task of this rank is over.
     *
     * @param other of the same graph
     * @return this
     */
    public Task after(Task other) {
        graph.requireNew();
        if (other == null || other.graph != graph) {
            throw new TaskException("task " + name + " after "
                    + (other == null ? "null" : other.name) + ": expected a task of this graph");
        }
        after.add(other);
        return this;
    }

    private void check(Region region, long version, long least) {
        graph.requireNew();
        if (region == null || version < least || !region.isWithin(graph.bytes())) {
            throw new TaskException("task " + name + ": version " + version + " of " + region
                    + ": expected version " + least + " or more, inside of " + graph.bytes()
                    + " bytes");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
