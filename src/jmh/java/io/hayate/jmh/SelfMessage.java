// SPDX-License-Identifier: Apache-2.0
package io.hayate.jmh;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
 * calls cost, without a cache line that has to travel. As in a program, the data change: a double
 * of each line is written before the send, and read after the receive.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class SelfMessage {
    private static final int LINE = 64;

    @Param({"8", "2048"})
    public int bytes;

    @Param({"heap", "direct", "array"})
    public String buffers;

    private Hayate job;
    private Fmpl fmpl;
    private Data from;
    private Data to;
    private double turn;

    /** A span, and how Java reaches what is in it. */
    private interface Data {
        Span span();

        void write(double value);

        double sum();
    }

    private record Native(Span span, ByteBuffer memory) implements Data {
        @Override
        public void write(double value) {
            for (int at = 0; at < memory.capacity(); at += LINE) {
                memory.putDouble(at, value);
            }
        }

        @Override
        public double sum() {
            double sum = 0;
            for (int at = 0; at < memory.capacity(); at += LINE) {
                sum += memory.getDouble(at);
            }
            return sum;
        }
    }

    private record Doubles(Span span, double[] memory) implements Data {
        @Override
        public void write(double value) {
            for (int i = 0; i < memory.length; i += LINE / Double.BYTES) {
                memory[i] = value;
            }
        }

        @Override
        public double sum() {
            double sum = 0;
            for (int i = 0; i < memory.length; i += LINE / Double.BYTES) {
                sum += memory[i];
            }
            return sum;
        }
    }

    @Setup
    public void open() {
        job = Hayate.init();
        fmpl = Fmpl.init(job);
        from = data();
        to = data();
    }

    private Data data() {
        return switch (buffers) {
            case "heap" -> heap(job.allocate(bytes));
            case "direct" -> direct(ByteBuffer.allocateDirect(bytes));
            default -> array(new double[bytes / Double.BYTES]);
        };
    }

    private Data heap(HeapSpan span) {
        return new Native(span, span.buffer(0, bytes).order(ByteOrder.nativeOrder()));
    }

    private static Data direct(ByteBuffer memory) {
        return new Native(Span.of(memory), memory.order(ByteOrder.nativeOrder()));
    }

    private static Data array(double[] memory) {
        return new Doubles(Span.of(memory), memory);
    }

    @TearDown
    public void close() {
        fmpl.close();
        job.close();
    }

    /** What the writing and reading cost without a message. */
    @Benchmark
    public double writeAndRead() {
        from.write(++turn);
        return to.sum();
    }

    /** The message as well; wrong data end the run. */
    @Benchmark
    public double sendAndReceive() {
        from.write(++turn);
        fmpl.send(from.span(), 0, 0);
        fmpl.recv(to.span(), 0, 0);
        double sum = to.sum();
        if (sum != turn * ((bytes + LINE - 1) / LINE)) {
            throw new IllegalStateException("wrong data in turn " + turn);
        }
        return sum;
    }
}
