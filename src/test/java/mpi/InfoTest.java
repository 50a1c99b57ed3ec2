// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests hints. */
class InfoTest {
    @Test
    void should_keep_pairs_in_order() {
        Info info = new Info();
        info.set("b", "1");
        info.set("a", "2");
        info.set("b", "3");
        assertEquals(2, info.size());
        assertEquals("3", info.get("b"));
        assertNull(info.get("c"));
        assertEquals("b", info.getKey(0));
        assertEquals("a", info.getKey(1));
        Refused.with(ErrorClass.ARG, () -> info.getKey(2));
        Refused.with(ErrorClass.ARG, () -> info.getKey(-1));
        info.delete("b");
        assertEquals("a", info.getKey(0));
        Refused.with(ErrorClass.INFO_NOKEY, () -> info.delete("b"));
    }

    @Test
    void should_limit_lengths() {
        Info info = new Info();
        String key = "k".repeat(35);
        String value = "v".repeat(255);
        info.set(key, value);
        assertEquals(value, info.get(key));
        for (String wrong : new String[] {null, "", key + "k"}) {
            Refused.with(ErrorClass.INFO_KEY, () -> info.set(wrong, "v"));
            Refused.with(ErrorClass.INFO_KEY, () -> info.get(wrong));
            Refused.with(ErrorClass.INFO_KEY, () -> info.delete(wrong));
        }
        for (String wrong : new String[] {null, "", value + "v"}) {
            Refused.with(ErrorClass.INFO_VALUE, () -> info.set("k", wrong));
        }
        assertEquals(1, info.size());
    }

    @Test
    void should_duplicate_independently() {
        Info info = new Info();
        info.set("a", "1");
        Info copy = info.dup();
        Info clone = info.clone();
        info.set("a", "2");
        copy.set("b", "3");
        assertEquals("1", copy.get("a"));
        assertEquals("1", clone.get("a"));
        assertNull(info.get("b"));
        info.free();
        assertEquals("1", copy.get("a"));
    }

    @Test
    void should_refuse_one_that_is_null_or_freed() {
        Info info = new Info();
        assertFalse(info.isNull());
        info.free();
        assertTrue(info.isNull());
        assertTrue(Info.NULL.isNull());
        Refused.with(ErrorClass.INFO, info::free);
        Refused.with(ErrorClass.INFO, info::size);
        Refused.with(ErrorClass.INFO, info::dup);
        Refused.with(ErrorClass.INFO, () -> info.set("a", "b"));
        Refused.with(ErrorClass.INFO, () -> Info.NULL.get("a"));
    }
}
