// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Hayate;
import io.hayate.Ompl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * Tasks of many ranks over one global space: the multi-task PGAS model. Every rank describes its
 * own tasks, what versions of which {@link Region} each needs and makes, and for whom; all ranks
 * then run the graph together. A task starts when all that it needs is in its rank's part, whoever
 * made it; there is no other order, and nobody receives anything.
 *
 * <pre>{@code
 * TaskGraph graph = new TaskGraph(job, ompl, 0);
 * graph.task("factor", () -> factor(tile)).makes(tile, 1, right);
 * graph.task("update", () -> update(tile, mine)).needs(theirs, 1).makes(mine, 1);
 * graph.run(pool);
 * }</pre>
 *
 * <p>Flags of regions must hold less than the versions that the graph makes, as in a space that was
 * just opened. A graph runs once. It is described by one thread.
 */
public final class TaskGraph {
    /** Bytes that a graph takes of every part, for itself. */
    public static final int CONTROL_BYTES = Control.BYTES;

    private final Hayate job;
    private final Ompl ompl;
    private final Control control;
    private final List<Task> tasks = new ArrayList<>();
    private TaskRun run;
    private boolean begun;

    /**
     * An empty graph.
     *
     * @param job the job
     * @param ompl its space, the same on all ranks
     * @param control where the graph may use {@value Control#BYTES} bytes of every part, a multiple
     *     of 64, the same on all ranks. After a graph that failed not these bytes again: a rank may
     *     still be telling of another failure
     * @throws TaskException if that is not inside of the space
     */
    public TaskGraph(Hayate job, Ompl ompl, long control) {
        if (job == null || ompl == null) {
            throw new TaskException("a graph needs a job and a space: one of them is null");
        }
        if (control < 0 || control % Control.ALIGN != 0
                || control > ompl.bytes() - Control.BYTES) {
            throw new TaskException("control at " + control + ": expected a multiple of "
                    + Control.ALIGN + ", and " + Control.BYTES + " bytes inside of "
                    + ompl.bytes());
        }
        this.job = job;
        this.ompl = ompl;
        this.control = new Control(job, ompl, control);
    }

    /**
     * Adds a task of this rank.
     *
     * @param name for errors and pictures
     * @param body what it does
     * @return the task, to be told what it needs and makes
     */
    public Task task(String name, Task.Body body) {
        requireNew();
        if (name == null || body == null || name.length() > Control.TEXT_BYTES) {
            throw new TaskException("a task needs a name of at most " + Control.TEXT_BYTES
                    + " characters and a body");
        }
        Task task = new Task(this, tasks.size(), name, body);
        tasks.add(task);
        return task;
    }

    /**
     * Runs the graph. Collective over the job; returns when the tasks of all ranks are over. The
     * calling thread looks after what comes from other ranks, and is none of the pool's. When it
     * throws, no task of this rank is running any more.
     *
     * @param pool runs the tasks: threads of either kind
     * @throws TaskException if the tasks of all ranks make no graph that can be run (then on all
     *     ranks, and none has run), or if one failed, here or elsewhere
     * @throws io.hayate.PeerFailedException if a rank died, or left before all were over: then
     *     leave the job as well, as others may be waiting for this rank alone
     * @throws io.hayate.HayateException see {@link Ompl}
     */
    public void run(Executor pool) {
        requireNew();
        if (pool == null) {
            throw new TaskException("the pool is null");
        }
        begun = true;
        control.clear();
        try {
            Plan plan = new Plan(Exchange.all(job, Plan.write(tasks)));
            run = new TaskRun(job, ompl, control, plan, tasks, pool);
        } catch (OutOfMemoryError full) {
            control.tellWordlessFailure(); // others may be running it already
            throw full;
        }
        run.run();
    }

    /**
     * What this rank's tasks did, in the order of their ends. After {@link #run}, also one that
     * failed.
     *
     * @return a line for each task that ran
     */
    public List<TaskTrace> trace() {
        return run == null ? List.of() : run.trace();
    }

    int size() {
        return job.size();
    }

    long bytes() {
        return ompl.bytes();
    }

    void requireNew() {
        if (begun) {
            throw new TaskException("the graph has been run: describe another one");
        }
    }
}
