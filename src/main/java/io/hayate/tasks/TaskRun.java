// SPDX-License-Identifier: Apache-2.0
package io.hayate.tasks;

import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Ompl;
import io.hayate.PeerFailedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A running graph. The thread that completes a task starts the tasks of this rank that waited for
 * it. The calling thread checks the flags of inputs from other ranks at every event.
 */
final class TaskRun {
    /** A task, and the number of inputs that it still lacks. */
    private static final class Step {
        private final Task task;
        private final List<Step> behind = new ArrayList<>();
        /** One more than the missing inputs until all steps are linked. */
        private final AtomicInteger lacks = new AtomicInteger(1);
        /** The input that came last; written by the thread that passes the task to the pool. */
        private String waited = "";
        private int waitedRank = -1;
        private long ready;

        Step(Task task) {
            this.task = task;
        }
    }

    /** An input that another rank puts into this rank's part. */
    private record Expected(Step step, Task.Need need, Plan.Node maker) {
    }

    private final Hayate job;
    private final Ompl ompl;
    private final Control control;
    private final Plan plan;
    private final Executor pool;
    private final List<Step> steps = new ArrayList<>();
    private final List<Expected> expected = new ArrayList<>();
    private final AtomicInteger left;
    /** Waits of 100 ms that remain; used by the calling thread only. */
    private int patience = 50;
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final TaskException wordless;
    private final ConcurrentLinkedQueue<TaskTrace> trace = new ConcurrentLinkedQueue<>();

    TaskRun(Hayate job, Ompl ompl, Control control, Plan plan, List<Task> tasks, Executor pool) {
        this.job = job;
        this.ompl = ompl;
        this.control = control;
        this.plan = plan;
        this.pool = pool;
        tasks.forEach(task -> steps.add(new Step(task)));
        steps.forEach(this::link);
        left = new AtomicInteger(steps.size());
        failure.compareAndSet(null, null); // loads the classes that it uses while there is memory
        wordless = new TaskException("a task of rank " + job.rank() + " failed: "
                + Control.WORDLESS, job.rank(), null, null);
    }

    private void link(Step step) {
        step.task.after.forEach(other -> wait(step, steps.get(other.index)));
        for (Task.Need need : step.task.needs) {
            Plan.Node maker = plan.maker(job.rank(), need);
            if (maker.rank == job.rank()) {
                wait(step, steps.get(maker.index));
            } else {
                step.lacks.incrementAndGet();
                expected.add(new Expected(step, need, maker));
            }
        }
    }

    private static void wait(Step step, Step other) {
        step.lacks.incrementAndGet();
        other.behind.add(step);
    }

    List<TaskTrace> trace() {
        return List.copyOf(trace);
    }

    // ---- the calling thread

    void run() {
        try {
            begin();
            look();
        } catch (PeerFailedException lost) {
            lose(lost);
        } catch (HayateException lost) {
            fail(lost);
        } catch (OutOfMemoryError full) {
            failWordless();
        }
        if (failure.get() != null) {
            end(failure.get());
        }
    }

    /**
     * Starts the tasks that lack no input after all others are set up: a task that they enable must
     * lack only what it waits for.
     */
    private void begin() {
        List<Step> first = steps.stream().filter(step -> step.lacks.get() == 1).toList();
        steps.stream().filter(step -> step.lacks.get() > 1)
                .forEach(step -> step.lacks.decrementAndGet());
        first.forEach(step -> supply(step, "", -1));
    }

    private void look() {
        boolean told = false;
        while (failure.get() == null) {
            long seen = control.changes();
            takeWhatHasCome();
            if (!told && left.get() == 0) {
                told = true;
                control.tellOver();
            }
            if (told && control.allAreOver()) {
                return;
            }
            TaskException elsewhere = control.failure();
            if (elsewhere != null) {
                fail(elsewhere);
                return;
            }
            if (!control.awaitChange(seen)) {
                requireOthers(told);
            }
        }
    }

    /**
     * A wait for a word continues if a rank has left in order. Until this rank has reported that
     * its tasks are complete, no rank can have left in order. Afterwards a rank may have left; the
     * puts that complete the graph on this rank are then in progress.
     */
    private void requireOthers(boolean told) {
        try {
            ompl.flush();
        } catch (PeerFailedException gone) {
            if (!told || --patience == 0) {
                throw gone;
            }
        }
    }

    private void takeWhatHasCome() {
        for (Iterator<Expected> all = expected.iterator(); all.hasNext(); ) {
            Expected one = all.next();
            if (Long.compareUnsigned(ompl.load(one.need.flag()), one.need.version()) >= 0) {
                all.remove();
                supply(one.step, one.maker.name, one.maker.rank);
            }
        }
    }

    /** Throws the failure when no task of this rank runs any more. */
    private void end(Throwable why) {
        boolean interrupted = false;
        synchronized (running) {
            while (running.get() > 0) {
                try {
                    running.wait();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        if (why instanceof HayateException lost) {
            throw lost;
        }
        throw (TaskException) why;
    }

    private void fail(Throwable why) {
        failure.compareAndSet(null, why);
    }

    // ---- any thread

    private void supply(Step step, String maker, int rank) {
        if (step.lacks.decrementAndGet() == 0) {
            step.waited = maker;
            step.waitedRank = rank;
            step.ready = System.nanoTime();
            try {
                pool.execute(() -> execute(step));
            } catch (RuntimeException | Error refused) {
                failHere(step.task, refused);
            }
        }
    }

    private void execute(Step step) {
        running.incrementAndGet();
        try {
            if (failure.get() == null) {
                work(step);
            }
        } catch (Throwable thrown) {
            failHere(step.task, thrown);
        } finally {
            synchronized (running) {
                running.decrementAndGet();
                running.notifyAll();
            }
        }
    }

    private void work(Step step) throws Exception {
        long start = System.nanoTime();
        step.task.body.run();
        for (Task.Make make : step.task.makes) {
            give(make);
        }
        trace.add(new TaskTrace(job.rank(), step.task.name, step.waited, step.waitedRank,
                step.ready, start, System.nanoTime()));
        step.behind.forEach(next -> supply(next, step.task.name, job.rank()));
        if (left.decrementAndGet() == 0) {
            control.ring(job.rank());
        }
    }

    private void give(Task.Make make) {
        Region region = make.region();
        for (int rank : make.ranks()) {
            if (rank != job.rank()) {
                ompl.putSignal(ompl.memory(), region.at(), region.bytes(), rank, region.at(),
                        region.flag(), make.version());
                control.ring(rank);
            }
        }
        ompl.putFlag(job.rank(), region.flag(), make.version());
    }

    /** Notifies the other ranks before the calling thread of this rank ends the graph. */
    private void failHere(Task task, Throwable thrown) {
        if (thrown instanceof PeerFailedException lost) {
            lose(lost);
        } else {
            tell(task, thrown);
        }
        try {
            control.ring(job.rank());
        } catch (HayateException closed) {
            fail(closed);
        }
    }

    /**
     * Every rank notices a death itself. A rank may also have left because a task had failed, or
     * because another rank had died; a wait reports that rank first.
     */
    private void lose(PeerFailedException lost) {
        try {
            control.awaitChange(control.changes());
            TaskException elsewhere = control.failure();
            fail(elsewhere != null ? elsewhere : lost);
        } catch (PeerFailedException dead) {
            fail(dead);
        } catch (HayateException | OutOfMemoryError also) {
            fail(lost);
        }
    }

    private void tell(Task task, Throwable thrown) {
        try {
            TaskException why = new TaskException("task " + task.name + " (rank " + job.rank()
                    + ") failed: " + thrown, job.rank(), task.name, thrown);
            if (failure.compareAndSet(null, why)) {
                control.tellFailure(task.name, thrown.toString());
            }
        } catch (RuntimeException | Error unspeakable) {
            failWordless();
        }
    }

    /** There is no memory, or the task's exception throws in its toString(), or all is closed. */
    private void failWordless() {
        fail(wordless);
        control.tellWordlessFailure();
    }
}
