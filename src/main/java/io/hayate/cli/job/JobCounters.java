// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.job;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.CountersBinding;
import io.hayate.internal.bindings.DelegationBinding;
import io.hayate.internal.bindings.StatBinding;
import io.hayate.internal.natives.ToolsLibrary;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the counters of a running job from its shared memory. Only one thread may use it at a time.
 */
public final class JobCounters implements AutoCloseable {
    /** The counters of one rank at one moment. */
    public record Rank(int rank, int pid, String state, int why, Map<String, Long> counters) {
        /** @return a counter; 0 if it is not known */
        public long count(String name) {
            return counters.getOrDefault(name, 0L);
        }

        /**
         * Returns whether its counters can no longer change here; ranks of other nodes are never
         * visible.
         */
        public boolean isOver() {
            return state.equals("left") || state.equals("dead") || state.equals("elsewhere");
        }
    }

    /** Counters of the ranks of a node that has a delegatee. */
    public static final List<String> OF_DELEGATEE = List.of("commands", "command_bytes");

    private static final int KILLED = 256;
    /** HY_WHY_NEVER_STARTED of boot/control.h. */
    private static final int NEVER_STARTED = 0xffff;
    /** HY_WHY_UNREACHABLE. */
    private static final int UNREACHABLE = 0xfffe;

    private final long handle;
    private final long[] numbers;
    private final String[] names;
    private final boolean delegated;
    private boolean closed;

    private JobCounters(long handle) {
        this.handle = handle;
        this.delegated = DelegationBinding.ofStat(handle) != null;
        this.names = new String[CountersBinding.countersCount()];
        this.numbers = new long[StatBinding.HEAD + names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = CountersBinding.countersName(i);
        }
    }

    /**
     * Opens the job of a process.
     *
     * @param pid a rank that has joined, the launcher, or a program that has started one of them
     * @return the job; the caller closes it
     * @throws CommandFailure if that fails; its text has the reason
     */
    public static JobCounters of(long pid) {
        ToolsLibrary.load();
        long handle = StatBinding.statOpen((int) JobProcess.of(pid, JobCounters::isIn));
        if (handle < 0) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        return new JobCounters(handle);
    }

    private static boolean isIn(long pid) {
        long handle = StatBinding.statOpen((int) pid);
        if (handle >= 0) {
            StatBinding.statClose(handle);
        }
        return handle >= 0;
    }

    int size() {
        return StatBinding.statSize(handle);
    }

    /** Returns the names of all counters, in their order. */
    public List<String> names() {
        List<String> used = new ArrayList<>();
        for (String name : names) {
            if (name != null) {
                used.add(name);
            }
        }
        if (delegated) {
            used.addAll(OF_DELEGATEE);
        }
        return used;
    }

    /**
     * Reads the counters of a rank.
     *
     * @param rank the rank
     * @return its present counters
     */
    public Rank read(int rank) {
        if (StatBinding.statRead(handle, rank, numbers) < 0) {
            throw new CommandFailure(ToolsLibrary.error());
        }
        Map<String, Long> counters = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            if (names[i] != null) {
                counters.put(names[i], numbers[StatBinding.HEAD + i]);
            }
        }
        for (int i = 0; i < OF_DELEGATEE.size() && delegated; i++) {
            counters.put(OF_DELEGATEE.get(i), numbers[StatBinding.COMMANDS + i]);
        }
        return new Rank(rank, (int) numbers[2], StatBinding.statStateName((int) numbers[0]),
                (int) numbers[1], counters);
    }

    /** Returns null if the job has no delegatee. */
    public DelegationBinding.View delegatee() {
        return DelegationBinding.ofStat(handle);
    }

    /** Returns what the ranks of this node wait for now. */
    public JobWaits waits() {
        return JobWaits.of(handle);
    }

    public List<Rank> readAll() {
        List<Rank> ranks = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            ranks.add(read(rank));
        }
        return ranks;
    }

    /** Describes the end of a rank, such as "dead (signal 9)". */
    public static String describe(Rank rank) {
        if (!rank.state().equals("dead")) {
            return rank.state();
        }
        int why = rank.why();
        return switch (why) {
            case 0 -> "dead";
            case NEVER_STARTED -> "never started";
            case UNREACHABLE -> "dead (unreachable)";
            default -> why >= KILLED ? "dead (signal " + (why - KILLED) + ")"
                    : "dead (exit " + why + ")";
        };
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            StatBinding.statClose(handle);
        }
    }
}
