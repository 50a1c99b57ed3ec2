// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a debugger shows of jobs, communicators and memory. */
class DescriptionTest {
    private static void shown(String text, Object of) {
        assertEquals(text, of.toString());
    }

    @Test
    void should_show_ranks_and_what_is_closed() {
        List<Hayate> ranks = Hayate.initThreads(3);
        shown("job: rank 2 of 3", ranks.get(2));
        ranks.forEach(Hayate::close);
        shown("job: rank 2 of 3, closed", ranks.get(2));
    }

    @Test
    void should_show_an_fmpl_and_its_communicators() {
        try (Hayate job = Hayate.init()) {
            Fmpl fmpl = Fmpl.init(job, 5);
            shown("Fmpl with 5 mai: rank 0 of 1", fmpl);
            Communicator all = fmpl.create(true);
            shown("communicator: rank 0 of 1", all);
            all.close();
            shown("communicator: rank 0 of 1, closed", all);
            shown("communicator without this rank", fmpl.create(false));
            fmpl.close();
            shown("Fmpl with 5 mai: rank 0 of 1, closed", fmpl);
        }
    }

    @Test
    void should_show_the_kind_of_memory() {
        shown("16 bytes of double[], DOUBLE", Span.of(new double[4], 1, 2));
        shown("3 bytes of byte[]", Span.of(new byte[3]));
        shown("8 bytes of native memory", Span.of(ByteBuffer.allocateDirect(8)));
        shown("8 bytes of native memory, read-only",
                Span.of(ByteBuffer.allocateDirect(8).asReadOnlyBuffer()));
        shown("32 bytes of 2 blocks of 16 in double[], DOUBLE",
                Span.of(new double[9]).strided(8, 16, 32, 2));
        shown("48 bytes of 3 blocks of 16 in long[][], LONG", Span.ofRows(new long[3][4], 1, 2));
        try (Hayate job = Hayate.init()) {
            HeapSpan memory = job.allocate(64);
            shown("64 bytes of the symmetric heap", memory);
            shown("8 bytes of the symmetric heap, INT", memory.as(Element.INT).slice(8, 8));
            Span part = memory.slice(8, 8);
            memory.close();
            shown("8 bytes of the symmetric heap, closed", part);
        }
    }
}
