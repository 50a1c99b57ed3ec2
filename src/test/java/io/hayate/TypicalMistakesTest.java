// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Tests what new users read when they make a mistake: the exact text. */
@Timeout(300)
class TypicalMistakesTest {
    private static final int ENTRIES = 4;
    private final Span eight = Span.of(new double[8]);

    private interface Body {
        void run(Hayate job, Fmpl fmpl);
    }

    /** What the rank that fails first says, in a job of so many ranks. */
    private static String told(int ranks, Body body) {
        return assertThrows(RankFailedException.class, () -> Hayate.runThreads(ranks, job -> {
            try (Fmpl fmpl = Fmpl.init(job, ENTRIES)) {
                body.run(job, fmpl);
            }
        })).getCause().toString();
    }

    private static String told(Executable call) {
        return assertThrows(HayateException.class, call).toString();
    }

    @Test
    void should_tell_which_ranks_there_are() {
        assertEquals("io.hayate.ArgumentException: rank 2: expected 0 to 1",
                told(2, (job, fmpl) -> fmpl.send(eight, 2, 0)));
    }

    @Test
    void should_tell_that_a_program_was_started_without_its_launcher() {
        assertEquals("io.hayate.ArgumentException: rank 1: expected 0, as this job has one rank:"
                + " start more with hayate run -n N",
                told(1, (job, fmpl) -> fmpl.send(eight, 1, 0)));
    }

    @Test
    void should_tell_which_entries_there_are_and_who_sets_their_number() {
        assertEquals("io.hayate.ArgumentException: mai 4: expected 0 to 3; Fmpl.init sets the"
                + " number of entries", told(2, (job, fmpl) -> fmpl.send(eight, 1, 4)));
    }

    @Test
    void should_tell_how_large_the_buffer_of_a_message_must_be() {
        assertEquals("io.hayate.TruncationException: the message from rank 0 has 64 bytes, the"
                + " receive 32: receive it with a buffer of at least that size",
                told(2, (job, fmpl) -> {
                    if (job.rank() == 0) {
                        fmpl.send(eight, 1, 0);
                    } else {
                        fmpl.recv(Span.of(new double[4]), 0, 0);
                    }
                }));
    }

    @Test
    void should_tell_that_offsets_are_in_bytes() {
        assertEquals("io.hayate.ArgumentException: 8 bytes from 64: the span has 64 bytes, and"
                + " offsets are in bytes", told(2, (job, fmpl) -> fmpl.send(eight, 64, 8, 1, 0)));
    }

    @Test
    void should_tell_what_to_do_about_a_second_receive_of_one_entry() {
        assertEquals("io.hayate.BusyException: a receive with rank 0 and mai 3 is already active:"
                + " wait for it, or use another mai", told(1, (job, fmpl) -> {
                    fmpl.irecv(eight, 0, 3);
                    fmpl.irecv(eight, 0, 3);
                }));
    }

    @Test
    void should_tell_that_ranks_open_different_areas() {
        String text = told(2, (job, fmpl) -> Fmpl.init(job, 5 + job.rank()));
        assertEquals("io.hayate.MismatchException: rank N opens FMPL with N entries, this rank with"
                + " N: the counts must be equal", text.replaceAll("\\b[0156]\\b", "N"));
    }

    @Test
    void should_tell_which_rank_passes_another_size_to_a_collective() {
        String text = told(2, (job, fmpl) -> fmpl.allreduce(
                Span.of(new double[4 + job.rank()]), Reduction.DOUBLE_SUM));
        assertEquals("io.hayate.MismatchException: allreduce: rank N passes another size than this"
                + " rank: all members must pass the same", text.replaceAll("rank [01]", "rank N"));
    }

    @Test
    void should_tell_which_roots_there_are() {
        assertEquals("io.hayate.ArgumentException: root 2: expected 0 to 1",
                told(2, (job, fmpl) -> fmpl.bcast(eight, 2)));
    }

    @Test
    void should_tell_how_large_the_elements_of_a_reduction_are() {
        assertEquals("io.hayate.ArgumentException: 12 bytes: expected a multiple of the element"
                + " size, 8", told(1, (job, fmpl) -> fmpl.allreduce(
                        Span.of(new byte[12]), Reduction.DOUBLE_SUM)));
    }

    @Test
    void should_tell_that_only_members_call_a_collective() {
        assertEquals("io.hayate.ArgumentException: this rank is not a member of the communicator",
                told(2, (job, fmpl) -> {
                    try (Communicator even = fmpl.create(job.rank() == 0)) {
                        fmpl.barrier(even);
                    }
                }));
    }

    @Test
    void should_tell_how_much_room_the_heap_has_and_who_sets_it() {
        assertEquals("io.hayate.MemoryExhaustedException: no room for 1125899906842624 bytes: at"
                + " most N of N are left in the symmetric heap: free buffers, or start with a"
                + " larger --heap (HAYATE_HEAP)", told(1, (job, fmpl) -> job.allocate(1L << 50))
                        .replaceAll("most \\d+ of \\d+", "most N of N"));
    }

    @Test
    void should_tell_that_the_peer_of_a_receive_has_ended() {
        assertEquals("io.hayate.PeerFailedException: rank 1 left the job", told(2, (job, fmpl) -> {
                    if (job.rank() == 0) {
                        fmpl.recv(eight, 1, 0);
                    }
                }));
    }

    @Test
    void should_tell_what_is_closed() {
        String closed =
                "io.hayate.ClosedException: used after close: this object, or its job, is closed";
        assertEquals(closed, told(1, (job, fmpl) -> {
            job.close();
            fmpl.send(eight, 0, 0);
        }));
        assertEquals(closed, told(1, (job, fmpl) -> {
            fmpl.close();
            fmpl.barrier();
        }));
        assertEquals("io.hayate.ClosedException: the job is closed", told(1, (job, fmpl) -> {
            job.close();
            job.allocate(8);
        }));
        assertEquals("io.hayate.ClosedException: the heap span is closed", told(1, (job, fmpl) -> {
                    HeapSpan span = job.allocate(8);
                    span.close();
                    fmpl.bcast(span, 0);
                }));
    }

    @Test
    void should_tell_that_a_process_has_a_job_already() {
        try (Hayate job = Hayate.init()) {
            assertEquals("io.hayate.StateException: this process already has a job open: close it"
                    + " first", told(Hayate::init));
            assertEquals(1, job.size());
        }
    }

    @Test
    void should_tell_how_many_ranks_a_program_can_have() {
        assertEquals("io.hayate.ArgumentException: 5000 ranks: expected 1 to 4096",
                told(() -> Hayate.initThreads(5000)));
    }
}
