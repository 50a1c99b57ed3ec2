// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;

/**
 * Rank 0 sends windows of 64 messages to rank 1, which answers each with one. With several threads
 * each uses another matching-area index and separate buffers, so that they share no written memory.
 */
final class MessageRate extends Operation {
    static final int WINDOW = 64;
    private static final int APART = 256;
    private static final long THREADS_BATCH_NANOS = 5_000_000;

    private final int threads;
    private final int stride;
    private final Team team;
    private final Span[] threadSends;
    private final Span[] threadReceives;

    MessageRate(Plan plan, Hayate job, Fmpl fmpl) {
        this(plan.threads(), (plan.room() + APART - 1) / APART * APART, job, fmpl,
                plan.buffers());
    }

    private MessageRate(int threads, int stride, Hayate job, Fmpl fmpl, Buffers kind) {
        super(job, fmpl, Memory.of(job, kind, (long) threads * stride),
                Memory.of(job, kind, (long) threads * stride));
        this.threads = threads;
        this.stride = stride;
        this.threadSends = new Span[threads];
        this.threadReceives = new Span[threads];
        this.team = rank > 1 || threads == 1 ? null : new Team(threads, this::runThread);
    }

    @Override
    void size(int bytes) {
        super.size(bytes);
        for (int i = 0; i < threads; i++) {
            threadSends[i] = out.span(i * stride, bytes);
            threadReceives[i] = in.span(i * stride, bytes);
        }
    }

    @Override
    void run(int turns) {
        if (team != null) {
            team.run(turns);
        } else if (rank <= 1) {
            runThread(0, turns);
        }
    }

    private void runThread(int thread, int turns) {
        if (rank == 0) {
            send(fmpl, threadSends[thread], threadReceives[thread], thread, turns);
        } else {
            receive(fmpl, threadSends[thread], threadReceives[thread], thread, turns);
        }
    }

    private static void send(Fmpl fmpl, Span sends, Span receives, int mai, int turns) {
        for (int i = 0; i < turns; i++) {
            for (int message = 0; message < WINDOW; message++) {
                fmpl.send(sends, 1, mai);
            }
            fmpl.recv(receives, 1, mai);
        }
    }

    private static void receive(Fmpl fmpl, Span sends, Span receives, int mai, int turns) {
        for (int i = 0; i < turns; i++) {
            for (int message = 0; message < WINDOW; message++) {
                fmpl.recv(receives, 0, mai);
            }
            fmpl.send(sends, 0, mai);
        }
    }

    /** Threads are started and joined once per batch. */
    @Override
    long batchNanos() {
        return threads > 1 ? THREADS_BATCH_NANOS : super.batchNanos();
    }

    @Override
    void check() {
        for (int i = 0; i < threads; i++) {
            out.fillPattern(i * stride, bytes, rank + 2 * i);
            in.fill(i * stride, bytes, 0xee);
        }
        run(1);
        for (int i = 0; i < threads; i++) {
            expect(rank > 1 || in.hasPattern(i * stride, bytes, 1 - rank + 2 * i), "the messages");
        }
    }
}
