// SPDX-License-Identifier: Apache-2.0
package io.hayate.jmh;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A send and its receive in one thread, as messages of a rank to itself: what our code and the two
 * calls cost, without a cache line that has to travel.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SelfMessage {
    @Param({"8", "2048"})
    public int bytes;

    @Param({"heap", "direct", "array"})
    public String buffers;

    private Hayate job;
    private Fmpl fmpl;
    private Span from;
    private Span to;

    @Setup
    public void open() {
        job = Hayate.init();
        fmpl = Fmpl.init(job);
        from = span();
        to = span();
    }

    private Span span() {
        return switch (buffers) {
            case "heap" -> heap();
            case "direct" -> Span.of(ByteBuffer.allocateDirect(bytes));
            default -> Span.of(new double[bytes / Double.BYTES]);
        };
    }

    private HeapSpan heap() {
        return job.allocate(bytes);
    }

    @TearDown
    public void close() {
        fmpl.close();
        job.close();
    }

    @Benchmark
    public long sendAndReceive() {
        fmpl.send(from, 0, 0);
        return fmpl.recv(to, 0, 0);
    }
}
