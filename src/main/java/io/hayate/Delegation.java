// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.bindings.DelegationBinding;
import io.hayate.internal.bindings.DelegationBinding.View;
import io.hayate.internal.job.Job;
import java.lang.ref.Reference;
import java.util.Locale;
import java.util.Optional;

/**
 * The delegatee of this rank's node: the process that communicates with other nodes for all ranks
 * of the node. {@code hayate run --delegate} starts one on each node. A rank hands its puts, gets
 * and signals to ranks of other nodes over to it as <em>commands</em>, so they make progress while
 * the rank computes or its JVM stands at a safepoint. Ranks of the same node communicate directly.
 *
 * <p>Nothing here changes how a program communicates: programs are the same with a delegatee and
 * without. Any thread may use it; no call waits for the delegatee.
 */
public final class Delegation {
    /** How a delegatee waits for commands and for messages: {@code HAYATE_DELEGATE_WAIT}. */
    public enum Waiting {
        /** It polls for a moment, and then sleeps until it is woken. */
        ADAPTIVE,
        /** It never sleeps. It needs a core of its own. */
        POLL,
        /** It sleeps as soon as there is nothing to do. */
        INTERRUPT;

        /** Returns the word of the setting, such as {@code "poll"}. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private final Job job;
    private final View opened;

    private Delegation(Job job, View opened) {
        this.job = job;
        this.opened = opened;
    }

    /**
     * Returns the delegatee of a rank's node.
     *
     * @param rank a rank of this process
     * @return empty if its node has no delegatee
     * @throws ArgumentException if rank is null
     * @throws ClosedException if the rank has left its job
     */
    public static Optional<Delegation> of(Hayate rank) {
        Job job = Hayate.requireOpen(rank);
        return Optional.ofNullable(view(job)).map(view -> new Delegation(job, view));
    }

    private static View view(Job job) {
        View view = DelegationBinding.ofJob(job.handle());
        Reference.reachabilityFence(job);
        return view;
    }

    private View look() {
        job.requireOpen();
        View now = view(job);
        return now == null ? opened : now;
    }

    /**
     * Returns the process of the delegatee.
     *
     * @return its process id in the pid namespace of {@code hayate run}; valid also after close
     */
    public long pid() {
        return opened.numbers()[DelegationBinding.PID];
    }

    /**
     * Returns the node of this rank and of the delegatee.
     *
     * @return 0 to nodes - 1; valid also after close
     */
    public int node() {
        return (int) opened.numbers()[DelegationBinding.NODE];
    }

    /**
     * Returns the number of nodes of the job, each of which has a delegatee.
     *
     * @return at least 1; valid also after close
     */
    public int nodes() {
        return (int) opened.numbers()[DelegationBinding.NODES];
    }

    /**
     * Describes the network that the delegatee uses.
     *
     * @return a text such as {@code "libfabric tcp;ofi_rxm on eth0"}; empty if the job has one
     *     node. Valid also after close
     */
    public String network() {
        return opened.network();
    }

    /**
     * Returns how the delegatee waits.
     *
     * @return the value of {@code HAYATE_DELEGATE_WAIT} that is in force; valid also after close
     */
    public Waiting waiting() {
        long word = opened.numbers()[DelegationBinding.WAITING];
        Waiting[] all = Waiting.values();
        return word >= 0 && word < all.length ? all[(int) word] : Waiting.ADAPTIVE;
    }

    /**
     * Returns whether the delegatee lives. If it does not, all operations to other nodes fail with
     * {@link PeerFailedException}, and {@code hayate run} ends the job.
     *
     * @return false if it has ended
     * @throws ClosedException after close of the job
     */
    public boolean serves() {
        return look().serves();
    }

    /**
     * Returns whether the delegatee can read all memory of this process, by single copy. It uses
     * that for puts of more than 64 KiB from outside of the symmetric heap. Without it, and for
     * gets, data outside of the symmetric heap pass through a buffer in shared memory, which costs
     * a copy by the calling thread. Data in the symmetric heap are never copied.
     *
     * @return true if the kernel permits it
     * @throws ClosedException after close of the job
     */
    public boolean reachesAllMemory() {
        return look().numbers()[DelegationBinding.REACHABLE] != 0;
    }

    /**
     * Returns the present counters of the delegatee, and those of this rank. The delegatee counts a
     * command when it begins it. The counters are not read at one moment.
     *
     * @return the counters, since the job was started
     * @throws ClosedException after close of the job
     */
    public DelegationCounters counters() {
        long[] now = look().numbers();
        return new DelegationCounters(now[DelegationBinding.COMMANDS],
                now[DelegationBinding.BYTES], now[DelegationBinding.OWN_COMMANDS],
                now[DelegationBinding.OWN_BYTES], now[DelegationBinding.SLEEPS],
                now[DelegationBinding.TURNS], now[DelegationBinding.CONNECTIONS],
                now[DelegationBinding.REGISTERED]);
    }

    /**
     * Describes the delegatee.
     *
     * @return a text such as {@code "process 4711 on node 0 of 2, waits: adaptive, libfabric tcp"}
     */
    @Override
    public String toString() {
        return "process " + pid() + " on node " + node() + " of " + nodes() + ", waits: "
                + waiting() + (network().isEmpty() ? "" : ", " + network());
    }
}
