// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.job.Memory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests persistent collectives in a job of one rank: the errors that need no other rank. */
class PersistentCollTest extends OneRank {
    private final Span doubles = Span.of(new double[8]);
    private PersistentColl coll;

    @BeforeEach
    void open() {
        coll = PersistentColl.on(fmpl.world());
    }

    @Test
    void should_say_what_was_chosen() {
        PersistentOperation operation = coll.allreduce(doubles, Reduction.DOUBLE_SUM,
                CollOptions.AUTO.progress(CollOptions.Progress.CALLER));
        assertTrue(operation.describe().contains("allreduce"), operation.describe());
        assertTrue(operation.describe().contains("progress caller"), operation.describe());
        operation.close();
        assertEquals(operation.describe(), operation.toString());
    }

    // ---- the life of an operation ----

    @Test
    void should_be_over_before_the_first_start() {
        try (PersistentOperation operation = coll.barrier()) {
            assertTrue(operation.test());
            operation.await();
            operation.await();
        }
    }

    @Test
    void should_have_copied_the_result_into_an_array_after_a_run_that_needs_no_wait() {
        double[] in = {1, 2};
        double[] out = new double[2];
        try (PersistentOperation operation = coll.allgather(Span.of(in), Span.of(out))) {
            for (int i = 0; i < 3; i++) {
                in[1] = i;
                operation.start();
                operation.await(Duration.ZERO);
                assertArrayEquals(in, out);
                operation.await();
            }
        }
    }

    @Test
    void should_let_another_thread_await_a_run_that_needs_no_wait() throws Exception {
        try (PersistentOperation operation = coll.barrier()) {
            for (int i = 0; i < 100; i++) {
                operation.start();
                Thread other = new Thread(operation::await);
                other.start();
                other.join();
                operation.start();
                operation.await();
            }
        }
    }

    @Test
    void should_start_the_others_if_there_is_no_memory_to_start_one() {
        boolean[] full = new boolean[1];
        ByteBuffer buffer = ByteBuffer.allocateDirect(8);
        Span span = new Span(new Memory(null, MemoryBinding.address(buffer), 8, false, () -> {
            if (full[0]) {
                throw new OutOfMemoryError("of this test");
            }
            return true;
        }, buffer));
        PersistentOperation poor = coll.bcast(span, 0);
        PersistentOperation other = coll.barrier();
        full[0] = true;
        assertThrows(OutOfMemoryError.class, () -> PersistentOperation.startAll(poor, other));
        assertThrows(BusyException.class, other::start);
        full[0] = false;
        poor.start();
        PersistentOperation.awaitAll(poor, other);
    }

    @Test
    void should_refuse_use_after_close() {
        PersistentOperation operation = coll.bcast(doubles, 0);
        operation.close();
        operation.close();
        assertThrows(ClosedException.class, operation::start);
        assertThrows(ClosedException.class, operation::test);
        assertThrows(ClosedException.class, operation::await);
        assertThrows(ClosedException.class, () -> PersistentOperation.startAll(operation));
    }

    @Test
    void should_end_with_its_fmpl() {
        PersistentOperation idle = coll.bcast(doubles, 0);
        PersistentOperation started = coll.barrier();
        started.start();
        fmpl.close();
        for (PersistentOperation operation : List.of(idle, started)) {
            assertThrows(ClosedException.class, operation::start);
            assertThrows(ClosedException.class, operation::await);
            assertThrows(ClosedException.class, operation::test);
            operation.close();
            operation.close();
        }
        assertThrows(ClosedException.class, coll::barrier);
        assertThrows(ClosedException.class, coll::progress);
    }

    @Test
    void should_end_with_its_job() {
        PersistentOperation operation = coll.bcast(doubles, 0);
        operation.start();
        job.close();
        assertThrows(ClosedException.class, operation::await);
        assertThrows(ClosedException.class, coll::barrier);
        operation.close();
    }

    @Test
    void should_not_disturb_ordinary_collectives() {
        long[] one = {1};
        try (PersistentOperation operation = coll.allreduce(Span.of(one), Reduction.LONG_SUM)) {
            operation.start();
            fmpl.allreduce(Span.of(new long[] {5}), Reduction.LONG_SUM);
            fmpl.barrier();
            coll.progress();
            operation.await();
        }
        assertEquals(1, one[0]);
    }

    // ---- memory ----

    @Test
    void should_give_heap_spans_free_with_the_fmpl_and_after_a_failure() {
        HeapSpan span = job.allocate(64);
        refused(() -> coll.alltoall(span, span));
        refused(() -> coll.bcast(span, 5));
        coll.bcast(span, 0);
        assertThrows(BusyException.class, span::close);
        fmpl.close();
        span.close();
    }

    @Test
    void should_give_back_all_memory() {
        long free = job.heapFree();
        for (int i = 0; i < 500; i++) {
            Span in = Span.of(new byte[10_000]);
            try (PersistentOperation operation = coll.alltoall(in, Span.of(new byte[10_000]))) {
                operation.start();
                operation.await();
            }
        }
        fmpl.barrier();
        assertEquals(free, job.heapFree());
    }

    @Test
    void should_keep_arrays_and_buffers_reachable() {
        List<PersistentOperation> operations = new ArrayList<>();
        List<WeakReference<ByteBuffer>> sources = new ArrayList<>();
        List<WeakReference<double[]>> targets = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            ByteBuffer source = ByteBuffer.allocateDirect(100_000).order(ByteOrder.nativeOrder());
            double[] target = new double[12_500];
            operations.add(coll.allgather(Span.of(source), Span.of(target)));
            sources.add(new WeakReference<>(source));
            targets.add(new WeakReference<>(target));
        }
        for (int round = 0; round < 5; round++) {
            System.gc();
            for (int i = 0; i < 200; i++) {
                double[] values = valuesOf(round, i);
                sources.get(i).get().asDoubleBuffer().put(values);
            }
            operations.forEach(PersistentOperation::start);
            System.gc();
            operations.forEach(PersistentOperation::await);
            for (int i = 0; i < 200; i++) {
                assertArrayEquals(valuesOf(round, i), targets.get(i).get());
            }
        }
        operations.forEach(PersistentOperation::close);
    }

    private static double[] valuesOf(int round, int operation) {
        double[] values = new double[12_500];
        Arrays.setAll(values, i -> round * 1e9 + operation * 1e5 + i);
        return values;
    }

    // ---- user functions ----

    @Test
    void should_give_a_reduction_free_with_the_fmpl_and_after_a_failure() {
        Reduction own = Reduction.of(fmpl, 8, (inout, in, n) -> { });
        refused(() -> coll.reduce(doubles, own, 9));
        coll.allreduce(doubles, own);
        fmpl.close();
        own.close();
    }

    // ---- threads ----

    @ParameterizedTest
    @ValueSource(strings = {"progress=caller", "progress=calls", "progress=thread"})
    void should_allocate_nothing_in_start_test_and_await(String options) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        HeapSpan heap = job.allocate(64);
        try (PersistentOperation first =
                        coll.allreduce(heap, Reduction.DOUBLE_SUM, CollOptions.parse(options));
                PersistentOperation second = coll.alltoall(
                        doubles, Span.of(new double[8]), CollOptions.parse(options))) {
            work(first, second, 20_000);
            long before = threads.getCurrentThreadAllocatedBytes();
            work(first, second, 1000);
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < 1000, bytes + " bytes in 1000 rounds");
        }
    }

    private static void work(PersistentOperation first, PersistentOperation second, int rounds) {
        for (int i = 0; i < rounds; i++) {
            first.start();
            second.start();
            first.test();
            first.await();
            second.await();
        }
    }

    @Test
    void should_unmap_jobs_whose_operations_were_never_closed() throws Exception {
        for (int i = 0; i < 10; i++) {
            System.gc();
            Thread.sleep(5);
        }
        long before = mappings();
        fmpl.close();
        job.close();
        for (int i = 0; i < 5; i++) {
            try (Hayate other = Hayate.init(); Fmpl open = Fmpl.init(other)) {
                PersistentColl on = PersistentColl.on(open.world());
                Reduction own = Reduction.of(open, 8, (inout, in, n) -> { });
                on.allreduce(other.allocate(64), own,
                        CollOptions.AUTO.progress(CollOptions.Progress.THREAD)).start();
                on.bcast(doubles, 0).start();
            }
        }
        fmpl = null;
        coll = null;
        job = null;
        while (mappings() >= before) { // its own has gone too
            System.gc();
            Thread.sleep(5);
        }
        openJob();
    }

    private static long mappings() throws IOException {
        try (var maps = Files.lines(Path.of("/proc/self/maps"))) {
            return maps.filter(line -> line.contains("/memfd:hayate")).count();
        }
    }
}
