// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Tests objects that are attached under keys. */
class AttributesTest {
    @Test
    void should_attach_under_keys() {
        int one = Attributes.createKeyval();
        int other = Attributes.createKeyval();
        assertNotEquals(one, other);
        assertTrue(one >= Attributes.FIRST_KEY);
        Attributes attributes = new Attributes();
        assertNull(attributes.get(one));
        Object value = new Object();
        attributes.set(one, value);
        assertSame(value, attributes.get(one));
        assertNull(attributes.get(other));
        attributes.set(one, "second");
        assertEquals("second", attributes.get(one));
        attributes.delete(one);
        attributes.delete(one);
        assertNull(attributes.get(one));
        attributes.set(other, value);
        attributes.set(other, null);
        assertNull(attributes.get(other));
    }

    @Test
    void should_copy_what_existing_keys_have() {
        int kept = Attributes.createKeyval();
        int freed = Attributes.createKeyval();
        Attributes attributes = new Attributes();
        Object value = new Object();
        attributes.set(kept, value);
        attributes.set(freed, value);
        Attributes.freeKeyval(freed);
        Attributes copy = attributes.copy();
        assertSame(value, copy.get(kept));
        copy.delete(kept);
        assertSame(value, attributes.get(kept));
        assertSame(value, copy.get(freed));
        Refused.with(ErrorClass.KEYVAL, () -> copy.set(freed, value));
        copy.delete(freed);
        Refused.with(ErrorClass.KEYVAL, () -> copy.get(freed));
        Refused.with(ErrorClass.KEYVAL, () -> copy.delete(freed));
    }

    @Test
    void should_refuse_keys_that_do_not_exist() {
        Attributes attributes = new Attributes();
        int freed = Attributes.createKeyval();
        Attributes.freeKeyval(freed);
        for (int wrong : new int[] {freed, -1, Constants.TAG_UB, Integer.MAX_VALUE}) {
            Refused.with(ErrorClass.KEYVAL, () -> Attributes.freeKeyval(wrong));
            Refused.with(ErrorClass.KEYVAL, () -> attributes.set(wrong, "x"));
            Refused.with(ErrorClass.KEYVAL, () -> attributes.set(wrong, null));
            Refused.with(ErrorClass.KEYVAL, () -> attributes.get(wrong));
            Refused.with(ErrorClass.KEYVAL, () -> attributes.delete(wrong));
        }
    }
}
