// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.CollOptions.Buffers;
import io.hayate.CollOptions.Choice;
import io.hayate.CollOptions.Progress;
import io.hayate.CollOptions.Sync;
import io.hayate.CollOptions.Transfer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollOptionsTest {
    private static final CollOptions ALL = CollOptions.AUTO.algorithm("knomial")
            .transfer(Transfer.GET).buffers(Buffers.PREPARED).sync(Sync.BARRIER)
            .segment(32 << 10).arity(8).progress(Progress.THREAD).choice(Choice.MEASURED);
    private static final String TEXT = "algorithm=knomial transfer=get buffers=prepared"
            + " sync=barrier segment=32768 arity=8 progress=thread choice=measured";

    @Test
    void should_write_and_read_every_option() {
        assertEquals(TEXT, ALL.toString());
        assertEquals(ALL, CollOptions.parse(TEXT));
        assertEquals(ALL, CollOptions.parse(TEXT.replace(' ', ',')));
        assertEquals(ALL, CollOptions.parse("\tarity=8 , segment=32K\nprogress=thread,sync=barrier"
                + ", choice=measured algorithm=knomial transfer=get buffers=prepared "));
    }

    @Test
    void should_leave_open_what_is_not_said() {
        assertEquals("", CollOptions.AUTO.toString());
        assertEquals(CollOptions.AUTO, CollOptions.parse(""));
        assertEquals(CollOptions.AUTO, CollOptions.parse(" , "));
        assertEquals(CollOptions.AUTO, CollOptions.parse("algorithm=auto transfer=auto buffers=auto"
                + " sync=auto segment=auto arity=auto progress=auto choice=auto"));
        assertEquals("transfer=put", CollOptions.AUTO.transfer(Transfer.PUT).toString());
    }

    @Test
    void should_be_immutable() {
        CollOptions ring = CollOptions.AUTO.algorithm("ring");
        CollOptions other = ring.segment(5);
        assertEquals("", CollOptions.AUTO.algorithm());
        assertEquals(0, ring.segment());
        assertNotEquals(ring, other);
        assertEquals(ring, other.segment(0));
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "4096, 4096", "4k, 4096", "32K, 32768", "3M, 3145728", "1G, 1073741824",
        "2T, 2199023255552", "none, 9223372036854775807", "auto, 0"})
    void should_read_sizes(String text, long bytes) {
        assertEquals(bytes, CollOptions.parse("segment=" + text).segment());
    }

    @ParameterizedTest
    @ValueSource(strings = {"ring", "algorithm", "algorithm=", "algorithm=Ring", "algorithm=a-b",
        "algorithm=abcdefghijklmnopqrstuvwxyz_0123456789", "transfer=", "transfer=push",
        "transfer=PUT", "buffers=none", "sync=maybe", "segment=0", "segment=-1", "segment=1.5K",
        "segment=K", "segment=32KB", "segment=99999999999T", "segment=999999999999999999999",
        "arity=1", "arity=65", "arity=two", "arity=99999999999", "progress=now", "choice=lucky",
        "=", "=ring", "Algorithm=ring", "speed=high", "transfer=put transfer=put",
        "transfer=put,sync=x",
        "transfer=put;sync=barrier", "arity=4 arity=5"})
    void should_refuse_what_it_does_not_understand(String text) {
        ArgumentException e = assertThrows(ArgumentException.class, () -> CollOptions.parse(text));
        assertTrue(e.reason().startsWith("options: ") && e.reason().contains("expected"),
                e.reason());
    }

    @Test
    void should_refuse_arguments_out_of_range() {
        for (int arity : new int[] {-1, 1, 65, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
            assertThrows(ArgumentException.class, () -> CollOptions.AUTO.arity(arity));
        }
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.segment(-1));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.algorithm(null));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.algorithm("ring ring"));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.transfer(null));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.buffers(null));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.sync(null));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.progress(null));
        assertThrows(ArgumentException.class, () -> CollOptions.AUTO.choice(null));
        assertThrows(ArgumentException.class, () -> CollOptions.parse(null));
    }

    @Test
    void should_fill_only_what_the_stronger_one_leaves_open() {
        CollOptions strong = CollOptions.parse("transfer=put segment=1K");
        CollOptions weak = CollOptions.parse("algorithm=ring transfer=get sync=barrier arity=3");
        assertEquals("algorithm=ring transfer=put sync=barrier segment=1024 arity=3",
                strong.or(weak).toString());
    }

    @Test
    void should_keep_an_algorithm_and_its_settings_together() {
        CollOptions strong = CollOptions.parse("algorithm=ring");
        assertEquals("algorithm=ring progress=thread choice=measured", strong.or(ALL).toString());
    }

    @Test
    void should_survive_any_text() {
        Random random = new Random(11);
        String letters = "algorithmtransferputget=, \t\u00e9\u0000:-0123456789KMGT_";
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int n = random.nextInt(40); n > 0; n--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            try {
                CollOptions options = CollOptions.parse(text.toString());
                assertEquals(options, CollOptions.parse(options.toString()));
            } catch (ArgumentException expected) {
                assertTrue(expected.reason().length() > 10, expected.reason());
            }
        }
    }
}
