// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.delegation;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Ompl;
import io.hayate.PersistentColl;
import io.hayate.PersistentOperation;
import io.hayate.Reduction;
import io.hayate.Request;
import java.util.Arrays;
import java.util.Locale;

/**
 * A communication of two ranks that is started, and awaited later: several operations at once, each
 * with separate buffers.
 */
abstract class Communication implements AutoCloseable {
    /** Which communication. */
    enum Kind {
        /** Both ranks send to each other: isend and irecv. */
        ISEND(4 << 20),
        /** A persistent allreduce of doubles. */
        ALLREDUCE(1 << 20),
        /** Both ranks put into the global space of the other one, and flush at the end. */
        PUT(4 << 20);

        private final int defaultBytes;

        Kind(int defaultBytes) {
            this.defaultBytes = defaultBytes;
        }

        /** Returns the default size of one operation. */
        int defaultBytes() {
            return defaultBytes;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    abstract void start();

    abstract void await();

    @Override
    public abstract void close();

    static Communication of(Kind kind, Hayate job, Fmpl fmpl, int bytes, int window,
            CollOptions options) {
        return switch (kind) {
            case ISEND -> new Messages(job, fmpl, bytes, window);
            case ALLREDUCE -> new Reductions(job, fmpl, bytes, window, options);
            case PUT -> new Puts(job, bytes, window);
        };
    }

    private static HeapSpan[] spans(Hayate job, int bytes, int count) {
        HeapSpan[] all = new HeapSpan[count];
        for (int i = 0; i < count; i++) {
            all[i] = job.allocate(bytes);
            for (int at = 0; at + Long.BYTES <= bytes; at += Long.BYTES) {
                all[i].putLong(at, 0); // a page must exist before it is measured
            }
        }
        return all;
    }

    private static void close(HeapSpan... spans) {
        Arrays.stream(spans).forEach(HeapSpan::close);
    }

    private static final class Messages extends Communication {
        private final Fmpl fmpl;
        private final int peer;
        private final HeapSpan[] in;
        private final HeapSpan[] out;
        private final Request[] requests;

        Messages(Hayate job, Fmpl fmpl, int bytes, int window) {
            this.fmpl = fmpl;
            this.peer = 1 - job.rank();
            this.in = spans(job, bytes, window);
            this.out = spans(job, bytes, window);
            this.requests = new Request[2 * window];
        }

        @Override
        void start() {
            for (int i = 0; i < in.length; i++) {
                requests[2 * i] = fmpl.irecv(in[i], peer, i);
                requests[2 * i + 1] = fmpl.isend(out[i], peer, i);
            }
        }

        @Override
        void await() {
            for (Request request : requests) {
                request.await();
            }
        }

        @Override
        public void close() {
            Communication.close(in);
            Communication.close(out);
        }
    }

    private static final class Reductions extends Communication {
        private final HeapSpan[] spans;
        private final PersistentOperation[] operations;

        Reductions(Hayate job, Fmpl fmpl, int bytes, int window, CollOptions options) {
            this.spans = spans(job, bytes, window);
            this.operations = new PersistentOperation[window];
            PersistentColl all = PersistentColl.on(fmpl.world());
            for (int i = 0; i < window; i++) {
                operations[i] = all.allreduce(spans[i], Reduction.DOUBLE_SUM, options);
            }
        }

        @Override
        void start() {
            PersistentOperation.startAll(operations);
        }

        @Override
        void await() {
            PersistentOperation.awaitAll(operations);
        }

        @Override
        public void close() {
            Arrays.stream(operations).forEach(PersistentOperation::close);
            Communication.close(spans);
        }
    }

    private static final class Puts extends Communication {
        private final Ompl ompl;
        private final int peer;
        private final int bytes;
        private final HeapSpan[] out;

        Puts(Hayate job, int bytes, int window) {
            this.ompl = Ompl.open(job, (long) window * bytes);
            this.peer = 1 - job.rank();
            this.bytes = bytes;
            this.out = spans(job, bytes, window);
        }

        @Override
        void start() {
            for (int i = 0; i < out.length; i++) {
                ompl.putStart(out[i], peer, (long) i * bytes);
            }
        }

        @Override
        void await() {
            ompl.flush(peer);
        }

        @Override
        public void close() {
            ompl.close();
            Communication.close(out);
        }
    }
}
