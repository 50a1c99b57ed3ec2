// SPDX-License-Identifier: Apache-2.0
package io.hayate.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HayateException;
import io.hayate.Reduction;
import io.hayate.Span;
import io.hayate.TimedOutException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Traces begin with the call of the program, not inside of Hayate: this package is a program. */
final class StackTraceTest {
    @Test
    void should_begin_at_the_call_of_the_program() {
        try (Hayate job = Hayate.init(); Fmpl fmpl = Fmpl.init(job)) {
            Span span = Span.of(new double[2]);
            begins("Fmpl.send", HayateException.class, () -> fmpl.send(span, 0, 8, 7, 0));
            begins("Fmpl.allreduce", HayateException.class,
                    () -> fmpl.allreduce(null, Reduction.DOUBLE_SUM));
            begins("Request.await", TimedOutException.class,
                    () -> fmpl.irecv(span, 0, 0).await(Duration.ofMillis(1)));
        }
    }

    private static void begins(String call, Class<? extends HayateException> type,
            Executable body) {
        HayateException thrown = assertThrows(type, body);
        StringWriter printed = new StringWriter();
        thrown.printStackTrace(new PrintWriter(printed, true));
        assertTrue(printed.toString().lines().toList().get(1).contains("io.hayate." + call),
                printed::toString);
        StackTraceElement[] trace = thrown.getStackTrace();
        assertEquals("io.hayate." + call, trace[0].getClassName() + "." + trace[0].getMethodName());
        assertEquals(StackTraceTest.class.getName(), trace[1].getClassName());
    }
}
