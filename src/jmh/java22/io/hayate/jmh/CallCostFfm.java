// SPDX-License-Identifier: Apache-2.0
package io.hayate.jmh;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Warmup;

/** {@link CallCost} by FFM: as it comes, and as a critical function that must not block. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "--enable-native-access=ALL-UNNAMED")
public class CallCostFfm {
    private static final MethodHandle PLAIN = handle();
    private static final MethodHandle CRITICAL = handle(Linker.Option.critical(false));

    private static MethodHandle handle(Linker.Option... options) {
        MemorySegment function = SymbolLookup.libraryLookup(Path.of(CallCost.library()),
                Arena.global()).find("hayate_error_peer").orElseThrow();
        return Linker.nativeLinker().downcallHandle(function,
                FunctionDescriptor.of(ValueLayout.JAVA_INT), options);
    }

    @Benchmark
    public int ffm() throws Throwable {
        return (int) PLAIN.invokeExact();
    }

    @Benchmark
    public int ffmCritical() throws Throwable {
        return (int) CRITICAL.invokeExact();
    }
}
