// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;
import java.util.Arrays;

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
    private final Lines[] threadLines;

    MessageRate(Plan plan, Hayate job, Fmpl fmpl) {
        this(plan, (plan.room() + APART - 1) / APART * APART, job, fmpl);
    }

    private MessageRate(Plan plan, int stride, Hayate job, Fmpl fmpl) {
        super(plan, job, fmpl, Memory.of(job, plan.buffers(), (long) plan.threads() * stride),
                Memory.of(job, plan.buffers(), (long) plan.threads() * stride));
        this.threads = plan.threads();
        this.stride = stride;
        this.threadSends = new Span[threads];
        this.threadReceives = new Span[threads];
        this.threadLines = new Lines[threads];
        Arrays.setAll(threadLines, i -> new Lines(plan.stale()));
        this.team = rank > 1 || threads == 1 ? null : new Team(threads, this::runThread);
    }

    @Override
    void size(int bytes) {
        super.size(bytes);
        for (int i = 0; i < threads; i++) {
            threadSends[i] = out.span(i * stride, bytes);
            threadReceives[i] = in.span(i * stride, bytes);
            threadLines[i].size(bytes);
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
            send(thread, turns);
        } else {
            receive(thread, turns);
        }
        expect(threadLines[thread].right(), "a message");
    }

    private void send(int mai, int turns) {
        for (int i = 0; i < turns; i++) {
            for (int message = 0; message < WINDOW; message++) {
                threadLines[mai].write(out, mai * stride, message);
                fmpl.send(threadSends[mai], 1, mai);
            }
            fmpl.recv(threadReceives[mai], 1, mai);
        }
    }

    private void receive(int mai, int turns) {
        for (int i = 0; i < turns; i++) {
            for (int message = 0; message < WINDOW; message++) {
                fmpl.recv(threadReceives[mai], 0, mai);
                threadLines[mai].read(in, mai * stride, message, 1);
            }
            fmpl.send(threadSends[mai], 0, mai);
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
        for (int i = 0; i < threads && rank <= 1; i++) {
            exchange(i);
            expect(in.hasPattern(i * stride, bytes, 1 - rank + 2 * i), "the messages");
        }
    }

    private void exchange(int mai) {
        if (rank == 0) {
            fmpl.send(threadSends[mai], 1, mai);
            fmpl.recv(threadReceives[mai], 1, mai);
        } else {
            fmpl.recv(threadReceives[mai], 0, mai);
            fmpl.send(threadSends[mai], 0, mai);
        }
    }
}
