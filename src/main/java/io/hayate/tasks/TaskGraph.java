// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Hayate;
import io.hayate.Ompl;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;

/**
 * A graph of tasks of many ranks over one global space (the multi-task PGAS model). Every rank
 * describes its tasks: which versions of which {@link Region} each of them needs and makes, and for
 * which ranks. All ranks then run the graph together. A task starts when all its inputs are in the
 * part of its rank, on whichever rank they were made. There is no other order, and no task has to
 * receive data.
 *
 * <!-- java: Hayate job; Ompl ompl; Region tile, theirs, mine; Executor pool; int right;
 *      abstract void factor(Region tile); abstract void update(Region tile, Region mine); -->
 * <pre>{@code
 * TaskGraph graph = new TaskGraph(job, ompl, 0);
 * graph.task("factor", () -> factor(tile)).makes(tile, 1, right);
 * graph.task("update", () -> update(tile, mine)).needs(theirs, 1).makes(mine, 1);
 * graph.run(pool);
 * }</pre>
 *
 * <p>The flags of regions must be lower than the versions that the graph makes, as in a space that
 * was just opened. A graph runs once. One thread at a time may describe it.
 */
public final class TaskGraph {
    /** The number of bytes that a graph uses in every part for control data. */
    public static final int CONTROL_BYTES = Control.BYTES;

    private final Hayate job;
    private final Ompl ompl;
    private final Control control;
    private final List<Task> tasks = new ArrayList<>();
    private TaskRun run;
    private boolean begun;

    /**
     * Creates an empty graph.
     *
     * @param job the job
     * @param ompl a space of the job, the same on all ranks
     * @param control offset of {@value Control#BYTES} bytes in every part for the graph, a multiple
     *     of 64, the same on all ranks. After a graph has failed, do not use these bytes again: a
     *     rank may still report another failure there
     * @throws TaskException if an argument is null, or the bytes are not inside the space
     */
    public TaskGraph(Hayate job, Ompl ompl, long control) {
        if (job == null || ompl == null) {
            throw new TaskException("a graph needs a job and a space: one of them is null");
        }
        if (control < 0 || control % Control.ALIGN != 0
                || control > ompl.bytes() - Control.BYTES) {
            throw new TaskException("control at " + control + ": expected a multiple of "
                    + Control.ALIGN + ", and " + Control.BYTES + " bytes inside "
                    + ompl.bytes());
        }
        this.job = job;
        this.ompl = ompl;
        this.control = new Control(job, ompl, control);
    }

    /**
     * Adds a task of this rank.
     *
     * @param name a name for errors and pictures
     * @param body the code
     * @return the task, to which inputs and outputs can be added
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
     * Runs the graph. Collective over the job; returns when the tasks of all ranks have completed.
     * The calling thread handles the inputs from other ranks, and must not be a thread of the pool.
     * When the method throws, no task of this rank is running any more.
     *
     * @param pool the executor that runs the tasks, on platform or virtual threads
     * @throws TaskException if the graph of all ranks cannot be run (then all ranks throw, and no
     *     task has run), or if a task failed on any rank
     * @throws io.hayate.PeerFailedException if a rank died, or left before all tasks had completed:
     *     leave the job as well, because other ranks may be waiting for this rank alone
     * @throws io.hayate.HayateException the exceptions that {@link Ompl} describes
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
     * Returns when the tasks of this rank ran, in the order of their ends. Valid after
     * {@link #run}, also if it failed.
     *
     * @return an entry for each task that ran
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
