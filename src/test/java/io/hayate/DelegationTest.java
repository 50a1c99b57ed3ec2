// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A process without a delegatee; {@link DelegationIT} is about those with one. */
class DelegationTest {
    @Test
    void should_be_empty_in_a_job_without_a_delegatee() {
        try (Hayate job = Hayate.init()) {
            assertEquals(Optional.empty(), Delegation.of(job));
        }
        Hayate.runThreads(2, rank -> assertEquals(Optional.empty(), Delegation.of(rank)));
    }

    @Test
    void should_refuse_a_job_that_is_closed_or_null() {
        Hayate job = Hayate.init();
        job.close();
        assertThrows(ClosedException.class, () -> Delegation.of(job));
        assertThrows(ArgumentException.class, () -> Delegation.of(null));
    }

    @Test
    void should_name_ways_of_waiting_as_the_setting_does() {
        assertEquals("interrupt", Delegation.Waiting.INTERRUPT.toString());
    }
}
