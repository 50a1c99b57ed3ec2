// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.BusyException;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Deadline;
import io.hayate.internal.job.Job;
import io.hayate.internal.job.Memory;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Waits for requests of messages together with operations of another kind. */
@Timeout(300)
class RequestsTest {
    private static final Memory BYTES = new Memory(new byte[8], 0, 8, false, null, null);

    private Job job;
    private FmplState fmpl;
    private Requests<Operation> requests;

    /** Is complete after some steps, or when the test says so. */
    private static final class Counted extends Operation {
        private final FmplContext context;
        private final AtomicInteger steps;
        private final boolean fails;
        private volatile boolean active = true;

        Counted(FmplContext context, int steps, boolean fails) {
            this.context = context;
            this.steps = new AtomicInteger(steps);
            this.fails = fails;
            begun();
        }

        @Override
        protected FmplContext context() {
            return context;
        }

        @Override
        protected boolean isActive() {
            return active;
        }

        @Override
        protected void advance() {
            active = steps.getAndUpdate(n -> Math.max(n - 1, 0)) > 0;
        }

        @Override
        protected void finish(Deadline deadline) {
            while (active) {
                advance();
            }
        }

        @Override
        protected long result() {
            if (fails) {
                throw Errors.argument("planned");
            }
            return 5;
        }

        @Override
        protected String name() {
            return "counted";
        }

        @Override
        protected boolean withdraw() {
            return false;
        }

        @Override
        protected void requireCancellable() {
            throw Errors.argument("cannot be cancelled");
        }

        @Override
        public long received() {
            return 5;
        }
    }

    @BeforeEach
    void open() {
        job = Job.open(opened -> opened);
        fmpl = FmplState.open(job, null, null, 4, state -> state);
        requests = new Requests<>(fmpl, operation -> operation, operation -> operation);
    }

    @AfterEach
    void close() {
        fmpl.close();
        job.close();
    }

    private MessageOperation message(int mai, boolean sends) {
        MessageOperation message = (MessageOperation) requests.get(0, mai, sends);
        message.begin(BYTES, 0, 8);
        return message;
    }

    @Test
    void should_report_each_of_a_mix_once() {
        Operation[] all = {message(0, false), new Counted(fmpl.context(), 0, false),
            new Counted(fmpl.context(), 3, true)};
        assertEquals(1, requests.awaitAny(all));
        assertEquals(2, requests.awaitAny(all));
        assertThrows(ArgumentException.class, all[2]::await);
        message(0, true).await();
        assertEquals(0, requests.awaitAny(all));
        assertEquals(8, all[0].await());
        assertEquals(-1, requests.awaitAny(all));
    }

    @Test
    void should_wake_up_for_a_message_after_a_long_wait() throws Exception {
        Operation[] all = {new Counted(fmpl.context(), Integer.MAX_VALUE, false),
            message(1, false)};
        FutureTask<Integer> waits = new FutureTask<>(() -> requests.awaitAny(all));
        Thread waiter = new Thread(waits);
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        assertThrows(BusyException.class, all[1]::test);
        message(1, true).await();
        assertEquals(1, waits.get());
    }

    @Test
    void should_refuse_an_operation_of_another_fmpl() {
        FmplState other = FmplState.open(job, null, null, 1, state -> state);
        try {
            Operation[] all = {message(2, false), new Counted(other.context(), 0, false)};
            assertThrows(ArgumentException.class, () -> requests.awaitAny(all));
            assertTrue(all[0].cancel());
        } finally {
            other.close();
        }
    }

    @Test
    void should_not_cancel_what_cannot_be_cancelled() {
        Operation counted = new Counted(fmpl.context(), 1, false);
        assertThrows(ArgumentException.class, counted::cancel);
        assertEquals(5, counted.await());
    }
}
