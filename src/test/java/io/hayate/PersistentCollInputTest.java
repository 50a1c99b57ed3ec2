// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests what the preparation of a persistent collective rejects, and where its options come from.
 */
class PersistentCollInputTest extends OneRank {
    private final Span doubles = Span.of(new double[8]);
    private PersistentColl coll;

    @BeforeEach
    void open() {
        coll = PersistentColl.on(fmpl.world());
    }

    // ---- wrong arguments ----

    @Test
    void should_refuse_wrong_arguments() {
        refused(() -> PersistentColl.on(null));
        refused(() -> PersistentColl.on(fmpl.create(false)));
        refused(() -> coll.bcast(null, 0));
        refused(() -> coll.bcast(doubles, 0, null));
        for (int root : new int[] {-1, 1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(() -> coll.bcast(doubles, root));
            refused(() -> coll.reduce(doubles, Reduction.DOUBLE_SUM, root));
            refused(() -> coll.gather(doubles, Span.of(new double[8]), root));
            refused(() -> coll.scatter(doubles, Span.of(new double[8]), root));
        }
        refused(() -> coll.allreduce(doubles, null));
        refused(() -> coll.allreduce(Span.of(new byte[12]), Reduction.DOUBLE_SUM));
        refused(() -> coll.reduceScatter(doubles, Span.of(new byte[12]), Reduction.DOUBLE_SUM));
        refused(() -> coll.allgather(null, doubles));
        refused(() -> coll.allgather(doubles, null));
        refused(() -> coll.alltoall(doubles, null));
        refused(() -> coll.gather(doubles, null, 0));
        refused(() -> coll.scatter(null, doubles, 0));
        refused(() -> coll.allgatherv(doubles, Span.of(new byte[64]), null, null));
        refused(() -> PersistentOperation.startAll((PersistentOperation[]) null));
        refused(() -> PersistentOperation.awaitAll((PersistentOperation) null));
        assertEquals(0, fmpl.world().rank());
    }

    @Test
    void should_refuse_memory_that_does_not_do() {
        Span readOnly = Span.of(ByteBuffer.allocateDirect(64).asReadOnlyBuffer());
        coll.allgather(readOnly, Span.of(new byte[64])).close();
        refused(() -> coll.allgather(doubles, readOnly));
        refused(() -> coll.bcast(readOnly, 0));
        refused(() -> coll.allgather(doubles, Span.of(new double[7])));
        refused(() -> coll.alltoall(doubles, Span.of(new byte[63])));
        refused(() -> coll.reduceScatter(Span.of(new double[7]), doubles, Reduction.DOUBLE_SUM));
        ByteBuffer memory = ByteBuffer.allocateDirect(129);
        refused(() -> coll.allreduce(Span.of(memory.slice(1, 64)), Reduction.DOUBLE_SUM));
        refused(() -> coll.alltoall(Span.of(memory.slice(0, 64)), Span.of(memory.slice(63, 64))));
        coll.alltoall(Span.of(memory.slice(0, 64)), Span.of(memory.slice(64, 64))).close();
    }

    @Test
    void should_refuse_overlapping_parts_of_an_array() {
        double[] array = new double[16];
        Span low = Span.of(array, 0, 8);
        refused(() -> coll.alltoall(low, low));
        refused(() -> coll.alltoall(low, Span.of(array, 7, 8)));
        refused(() -> coll.alltoall(Span.of(array, 7, 8), low));
        refused(() -> coll.allgather(Span.of(array, 1, 7), low));
        coll.alltoall(low, Span.of(array, 8, 8)).close();
        coll.alltoall(low, Span.of(new double[8])).close();
        coll.allgather(low, low).close(); // the own block in its place
        coll.gather(low, low, 0).close();
        coll.scatter(low, low, 0).close();
    }

    @Test
    void should_refuse_wrong_blocks() {
        Span bytes = Span.of(new byte[64]);
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {64, 0}, null));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {}, null));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {-1}, null));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {65}, null));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {8}, new long[] {57}));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {8}, new long[] {-1}));
        refused(() -> coll.allgatherv(doubles, bytes, new long[] {8}, new long[2]));
        refused(() -> coll.allgatherv(
                doubles, bytes, new long[] {Long.MAX_VALUE}, new long[] {Long.MAX_VALUE}));
        refused(() -> coll.gatherv(doubles, bytes, new long[] {63}, null, 0));
        refused(() -> coll.scatterv(doubles, new long[] {65}, null, bytes, 0));
        refused(() -> coll.reduceScatterv(doubles, bytes, new long[] {9}, Reduction.DOUBLE_SUM));
        refused(() -> coll.reduceScatterv(
                doubles, bytes, new long[] {Long.MAX_VALUE / 4}, Reduction.DOUBLE_SUM));
        refused(() -> coll.alltoallv(doubles, new long[] {64}, null, bytes, new long[] {32}, null));
        coll.allgatherv(doubles, bytes, new long[] {8}, new long[] {56}).close();
    }

    @Test
    void should_refuse_what_belongs_to_another_fmpl() {
        try (Fmpl other = Fmpl.init(job, 2);
                Reduction foreign = Reduction.of(other, 8, (inout, in, n) -> { })) {
            refused(() -> coll.allreduce(doubles, foreign));
        }
        HeapSpan old = job.allocate(64);
        job.close();
        job = Hayate.init();
        fmpl = Fmpl.init(job, 4);
        coll = PersistentColl.on(fmpl.world());
        assertThrows(ClosedException.class, () -> coll.bcast(old, 0));
    }

    // ---- options ----

    @Test
    void should_refuse_an_algorithm_that_there_is_not() {
        ArgumentException e = assertThrows(ArgumentException.class, () ->
                coll.bcast(doubles, 0, CollOptions.AUTO.algorithm("carrier_pigeon")));
        assertTrue(e.reason().contains("carrier_pigeon") && e.reason().contains("binomial"),
                e.reason());
    }

    private void withProperty(String key, String value, Runnable work) {
        System.setProperty(key, value);
        try {
            work.run();
        } finally {
            System.clearProperty(key);
        }
    }

    private String described() {
        try (PersistentOperation operation = coll.reduceScatter(
                doubles, Span.of(new double[8]), Reduction.DOUBLE_SUM)) {
            return operation.describe();
        }
    }

    @Test
    void should_take_options_from_system_properties_the_special_one_first() {
        withProperty("hayate.coll", "progress=caller", () -> {
            assertTrue(described().contains("progress caller"), described());
            withProperty("hayate.coll.reduce_scatter", "progress=thread", () ->
                    assertTrue(described().contains("progress thread"), described()));
            withProperty("hayate.coll.bcast", "progress=thread", () ->
                    assertTrue(described().contains("progress caller"), described()));
        });
        withProperty("hayate.coll", "progress=never", () -> {
            ArgumentException e = assertThrows(ArgumentException.class, this::described);
            assertTrue(e.reason().contains("hayate.coll") && e.reason().contains("never"),
                    e.reason());
        });
    }

    @Test
    void should_go_on_without_a_damaged_rules_file(@TempDir Path directory) throws IOException {
        String[] damaged = {"", "{", "rules\n", "bcast = 5\n", "* = x=1\n", "* = arity=4", "\0\0"};
        for (int i = 0; i < damaged.length; i++) {
            Path file = directory.resolve("rules" + i + ".conf");
            Files.writeString(file, damaged[i]);
            withProperty("hayate.coll.rules", file.toString(), () ->
                    assertTrue(described().contains("progress calls"), described()));
        }
        withProperty("hayate.coll.rules", directory.resolve("none.conf").toString(), () ->
                assertTrue(described().contains("progress calls"), described()));
    }
}
