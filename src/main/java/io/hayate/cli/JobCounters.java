// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import io.hayate.internal.ErrorBinding;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.StatBinding;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A running job seen from outside, by the counters in its shared memory. One thread at a time. */
public final class JobCounters implements AutoCloseable {
    /** One rank at one moment. */
    public record Rank(int rank, int pid, String state, int why, Map<String, Long> counters) {
        /** @return a counter; 0 when it is not known */
        public long count(String name) {
            return counters.getOrDefault(name, 0L);
        }

        /** Nothing more of it will be seen here, where ranks of other nodes are not seen at all. */
        boolean isOver() {
            return state.equals("left") || state.equals("dead") || state.equals("elsewhere");
        }
    }

    private static final int KILLED = 256;
    /** HY_WHY_NEVER_STARTED of boot/control.h. */
    private static final int NEVER_STARTED = 0xffff;
    /** HY_WHY_UNREACHABLE. */
    private static final int UNREACHABLE = 0xfffe;

    private final long handle;
    private final long[] numbers;
    private final String[] names;
    private boolean closed;

    private JobCounters(long handle) {
        this.handle = handle;
        this.names = new String[StatBinding.statCounters()];
        this.numbers = new long[StatBinding.HEAD + names.length];
        for (int i = 0; i < names.length; i++) {
            names[i] = StatBinding.statCounterName(i);
        }
    }

    /**
     * The job of a process.
     *
     * @param pid a rank that has joined, or the launcher
     * @return to be closed
     * @throws CommandFailure with the reason
     */
    public static JobCounters of(long pid) {
        NativeLoader.load();
        long handle = StatBinding.statOpen((int) pid);
        if (handle < 0) {
            throw new CommandFailure(ErrorBinding.text());
        }
        return new JobCounters(handle);
    }

    int size() {
        return StatBinding.statSize(handle);
    }

    long heapBytes() {
        return StatBinding.statHeapBytes(handle);
    }

    /** Names of all counters, in their order. */
    List<String> names() {
        List<String> used = new ArrayList<>();
        for (String name : names) {
            if (name != null) {
                used.add(name);
            }
        }
        return used;
    }

    /**
     * A rank as it is now.
     *
     * @param rank of the job
     * @return what it counted
     */
    public Rank read(int rank) {
        if (StatBinding.statRead(handle, rank, numbers) < 0) {
            throw new CommandFailure(ErrorBinding.text());
        }
        Map<String, Long> counters = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            if (names[i] != null) {
                counters.put(names[i], numbers[StatBinding.HEAD + i]);
            }
        }
        return new Rank(rank, (int) numbers[2], StatBinding.statStateName((int) numbers[0]),
                (int) numbers[1], counters);
    }

    List<Rank> readAll() {
        List<Rank> ranks = new ArrayList<>();
        for (int rank = 0; rank < size(); rank++) {
            ranks.add(read(rank));
        }
        return ranks;
    }

    /** "dead (signal 9)". */
    static String describe(Rank rank) {
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
