// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.job.RankFailure;
import io.hayate.internal.job.RankThreads;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RanksReportTest {
    private static RankFailure hang(int number, String waits) {
        AutoCloseable rank = () -> { };
        return RankThreads.run(List.of(rank), own -> number, own -> Thread.sleep(60_000),
                Duration.ofMillis(1), own -> waits).get(0);
    }

    @Test
    void should_show_the_look_that_no_end_of_a_rank_has_cut() {
        String whole = "rank 0, thread main (1): waits\ndeadlock: rank 0 -> rank 1 -> rank 0";
        String text = RanksReport.of(List.of(hang(1, ""), hang(0, whole)), 2).getMessage();
        assertTrue(text.startsWith("rank 1 of 2 hangs: "), text);
        assertTrue(text.endsWith("\n" + whole), text);
    }
}
