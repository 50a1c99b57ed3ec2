// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.ArgumentException;
import io.hayate.Hayate;
import io.hayate.LaunchException;
import io.hayate.StateException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranks that meet at a store, and what they learn if they cannot. */
class StoreTest {
    private static void assertAllTold(List<StoreJob.Rank> ranks, String... parts) {
        for (StoreJob.Rank rank : ranks) {
            Exception failure = rank.failure();
            assertEquals(LaunchException.class, failure.getClass(), () -> "" + failure);
            for (String part : parts) {
                assertTrue(failure.getMessage().contains(part), failure::getMessage);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 64})
    void should_give_the_records_of_all_ranks_to_all(int size) throws Exception {
        StoreJob job = new StoreJob(size);
        for (StoreJob.Rank rank : job.start(0, size)) {
            assertEquals(job.expected(), rank.await());
        }
    }

    @Test
    void should_carry_the_longest_records() throws Exception {
        StoreJob job = new StoreJob(8).records(4096 - "0/1".length());
        for (StoreJob.Rank rank : job.start(0, 8)) {
            assertEquals(job.expected(), rank.await());
        }
    }

    @Test
    void should_wait_for_rank_0_and_for_the_last_rank() throws Exception {
        StoreJob job = new StoreJob(4);
        List<StoreJob.Rank> ranks = job.start(1, 3);
        ranks.add(job.start(0));
        await(job);
        ranks.add(job.start(3));
        for (StoreJob.Rank rank : ranks) {
            assertEquals(job.expected(), rank.await());
        }
    }

    /** Waits until the store listens. */
    private static void await(StoreJob job) throws Exception {
        for (;;) {
            try {
                new RawRank(job.address()).close();
                return;
            } catch (ConnectException notYet) {
                Thread.sleep(5);
            }
        }
    }

    @Test
    void should_serve_one_job_after_the_other_at_the_same_port() throws Exception {
        int port = StoreJob.freePort();
        for (int i = 0; i < 30; i++) {
            StoreJob job = new StoreJob(3, port);
            List<StoreJob.Rank> ranks = job.start(1, 3);
            assertEquals(job.expected(), job.start(0).await());
            if (i % 2 == 0) { // else the next job begins before these have returned
                assertEquals(job.expected(), ranks.get(0).await());
                assertEquals(job.expected(), ranks.get(1).await());
            }
        }
    }

    @Test
    void should_serve_the_next_job_right_after_one_that_failed() throws Exception {
        int port = StoreJob.freePort();
        for (int i = 0; i < 10; i++) {
            StoreJob job = new StoreJob(2, port);
            StoreJob.Rank first = job.start(0);
            await(job);
            try (RawRank rank = new RawRank(job.address()).greet(StoreJob.SECRET)) {
                rank.hello("none", "", 1, 2);
                assertAllTold(List.of(first), "Hayate none", "same version");
            }
            StoreJob next = new StoreJob(2, port);
            assertEquals(next.expected(), next.start(0, 2).get(1).await());
        }
    }

    @Test
    void should_tell_all_who_is_missing_when_the_limit_is_over() throws Exception {
        StoreJob job = new StoreJob(9).limit(3_000);
        List<StoreJob.Rank> ranks = job.start(0, 3);
        ranks.addAll(job.start(4, 6));
        ranks.add(job.start(8));
        assertAllTold(ranks, "time limit of 3 s is over", "of 9 ranks", "3, 6-7");
    }

    @Test
    void should_say_that_the_store_does_not_listen() throws Exception {
        StoreJob job = new StoreJob(2).limit(300);
        assertAllTold(job.start(1, 2), "127.0.0.1:" + job.port, "Connection refused", "rank 0");
    }

    @Test
    void should_say_that_a_name_is_unknown() throws Exception {
        StoreAccess access = new StoreAccess(StoreAddress.parse("no-such-host.invalid:1234"),
                StoreJob.SECRET, "", Duration.ofMillis(100));
        StoreJob job = new StoreJob(2);
        for (int rank = 0; rank < 2; rank++) {
            assertAllTold(List.of(job.start(rank, new StoreExchange(access, rank, 2))),
                    "the name no-such-host.invalid is not known");
        }
    }

    /** Joins as a rank that gives nothing; returns when just these have not given anything. */
    private static RawRank witness(StoreJob job, int rank, String missing) throws Exception {
        await(job);
        RawRank witness = new RawRank(job.address()).greet(StoreJob.SECRET)
                .hello(Hayate.version(), "", rank, job.size);
        String said = "";
        while (!said.equals(missing)) {
            said = Frame.read(witness.receive(Frame.WAIT), in -> {
                in.getLong();
                return Frame.text(in, Frame.TEXT);
            });
        }
        return witness;
    }

    @Test
    void should_refuse_a_rank_that_is_claimed_twice_on_all_ranks() throws Exception {
        StoreJob job = new StoreJob(4);
        List<StoreJob.Rank> ranks = job.start(0, 3);
        try (RawRank witness = witness(job, 3, "3")) {
            ranks.add(job.start(2));
            assertAllTold(ranks, "two processes are rank 2", "HAYATE_RANK");
            assertTrue(witness.failure().contains("two processes are rank 2"));
        }
    }

    @Test
    void should_refuse_different_sizes_on_all_ranks() throws Exception {
        StoreJob job = new StoreJob(4);
        List<StoreJob.Rank> ranks = job.start(0, 2);
        try (RawRank witness = witness(job, 2, "2-3")) {
            ranks.add(new StoreJob(5, job.port).start(3));
            assertAllTold(ranks, "rank 3", "size of 5", "rank 0 4", "HAYATE_SIZE");
            assertTrue(witness.failure().contains("size of 5"));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, -1, Integer.MIN_VALUE, Integer.MAX_VALUE})
    void should_refuse_a_rank_out_of_range_on_all_ranks(int wrong) throws Exception {
        StoreJob job = new StoreJob(3);
        List<StoreJob.Rank> ranks = job.start(0, 2);
        try (RawRank witness = witness(job, 2, "2");
                RawRank stray = new RawRank(job.address()).greet(StoreJob.SECRET)) {
            stray.hello(Hayate.version(), "", wrong, 3);
            assertTrue(stray.failure().contains("rank " + wrong));
            assertAllTold(ranks, "rank " + wrong, "expected a rank of 0 to 2");
            assertTrue(witness.failure().contains("expected a rank of 0 to 2"));
        }
    }

    @Test
    void should_tell_a_rank_that_the_store_is_of_another_job() throws Exception {
        StoreJob job = new StoreJob(2);
        StoreJob.Rank first = job.start(0);
        StoreExchange foreign = new StoreExchange(job.access(StoreJob.SECRET, "b"), 7, 8);
        assertAllTold(List.of(job.start(7, foreign)), "the job \"\", not to \"b\"", "port");
        assertEquals(job.expected(), job.start(1).await());
        assertEquals(job.expected(), first.await());
    }

    @Test
    void should_tell_a_rank_that_its_secret_is_another_one() throws Exception {
        StoreJob job = new StoreJob(2).limit(4_000);
        StoreJob.Rank first = job.start(0);
        byte[] other = StoreJob.SECRET.clone();
        other[15]++;
        StoreExchange wrong = new StoreExchange(job.access(other, ""), 1, 2);
        assertAllTold(List.of(job.start(1, wrong)), "has another secret", "HAYATE_STORE_SECRET");
        assertAllTold(List.of(first), "1 connections knew another secret", "127.0.0.1");
    }

    @Test
    void should_tell_the_others_that_a_rank_was_interrupted() throws Exception {
        for (int victim = 0; victim < 2; victim++) {
            StoreJob job = new StoreJob(4);
            List<StoreJob.Rank> ranks = job.start(0, 2);
            try (RawRank witness = witness(job, 2, "2-3")) {
                ranks.get(victim).thread.interrupt();
                assertTrue(witness.failure().contains("was interrupted"));
            }
            assertEquals(InterruptedException.class, ranks.get(victim).failure().getClass());
            assertAllTold(List.of(ranks.get(1 - victim)), "rank " + victim, "was interrupted");
        }
    }

    @Test
    void should_end_an_interrupted_rank_that_has_not_reached_the_store() throws Exception {
        StoreJob.Rank rank = new StoreJob(2).start(1);
        rank.thread.interrupt();
        assertEquals(InterruptedException.class, rank.failure().getClass());
    }

    @Test
    void should_refuse_records_that_are_too_long_or_null() throws Exception {
        try (StoreExchange exchange = new StoreJob(1).exchange(0)) {
            assertThrows(ArgumentException.class, () -> exchange.allgather(new byte[4097]));
            assertThrows(ArgumentException.class, () -> exchange.allgather(null));
            assertEquals(1, exchange.allgather(new byte[4096]).size());
        }
    }

    @Test
    void should_not_be_used_for_another_job() throws Exception {
        try (StoreExchange exchange = new StoreJob(1).exchange(0)) {
            exchange.allgather(new byte[1]);
            exchange.allgather(new byte[1]);
            assertThrows(StateException.class, () -> exchange.allgather(new byte[1]));
        }
        try (StoreExchange failed = new StoreJob(2).limit(1).exchange(1)) {
            assertThrows(LaunchException.class, () -> failed.allgather(new byte[1]));
            assertThrows(StateException.class, () -> failed.allgather(new byte[1]));
        }
    }
}
