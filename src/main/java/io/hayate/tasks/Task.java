// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import java.util.ArrayList;
import java.util.List;

/**
 * A task of this rank: its inputs, its code and its outputs. It is not safe for concurrent use, and
 * must not be changed once its graph runs.
 */
public final class Task {
    /** The code of a task. It may use the space, and throw any exception. */
    public interface Body {
        /**
         * Runs once, on a thread of the pool.
         *
         * @throws Exception any exception; it ends the graph on all ranks
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
     * Adds an input: the task starts only when this rank's part has a version of a region, or a
     * later version.
     *
     * @param region the region
     * @param version the number that the task that makes it uses; version 0 always exists
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
     * Adds an output: the task writes a version of a region into this rank's part. When the task
     * has completed, the flag of the region is set to the version, and data and flag are put into
     * the parts of other ranks. The versions of a region in a part must be made one after the
     * other, and each only when no task reads the previous version any more.
     *
     * @param region the region
     * @param version 1 or more
     * @param ranks other ranks that receive the version; this rank is ignored
     * @return this
     */
    public Task makes(Region region, long version, int... ranks) {
        check(region, version, 1);
        if (ranks == null) {
            throw new TaskException("task " + name + ": the array of ranks is null");
        }
        for (int rank : ranks) {
            if (rank < 0 || rank >= graph.size()) {
                throw new TaskException("task " + name + ": output for rank " + rank
                        + ": expected 0 to " + (graph.size() - 1));
            }
        }
        makes.add(new Make(region, version, ranks.clone()));
        return this;
    }

    /**
     * Adds a dependence: the task starts only when another task of this rank has completed.
     *
     * @param other a task of the same graph
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
                    + ": expected version " + least + " or more, inside " + graph.bytes()
                    + " bytes");
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
