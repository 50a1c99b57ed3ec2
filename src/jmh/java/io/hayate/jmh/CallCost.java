// SPDX-License-Identifier: Apache-2.0
package io.hayate.jmh;

import com.sun.jna.Library;
import com.sun.jna.Native;
import io.hayate.Hayate;
import io.hayate.internal.errors.ErrorBinding;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What it costs to call the same C function, {@code hayate_error_peer}, which reads one
 * thread-local word: by JNI (our hot path), by JNA (our set-up). {@code CallCostFfm} adds FFM on
 * JDK 22 and later.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CallCost {
    /** By JNA's proxies. */
    public interface Proxy extends Library {
        int hayate_error_peer();
    }

    /** By JNA's direct mapping. */
    public static final class Direct {
        static {
            Native.register(Direct.class, library());
        }

        private Direct() {
        }

        public static native int hayate_error_peer();
    }

    private Proxy proxy;

    static String library() {
        return Path.of(System.getProperty("hayate.lib", "target/libhayate.so")).toAbsolutePath()
                .toString();
    }

    @Setup
    public void load() {
        Hayate.version();
        proxy = Native.load(library(), Proxy.class);
    }

    @Benchmark
    public int jni() {
        return ErrorBinding.peer();
    }

    @Benchmark
    public int jnaDirect() {
        return Direct.hayate_error_peer();
    }

    @Benchmark
    public int jnaProxy() {
        return proxy.hayate_error_peer();
    }
}
