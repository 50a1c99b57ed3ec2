// SPDX-License-Identifier: Apache-2.0
package mpi;

import static mpi.Failing.failsWith;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ObjectsTest {
    private static ByteBuffer message(Object... objects) {
        return ByteBuffer.wrap(Objects.serialize(objects, 0, objects.length, Types.OBJECT));
    }

    @Test
    void should_bring_objects_of_any_class() {
        Object[] sent = {"a", null, new int[] {1, 2}, new double[][] {{1}, {2, 3}}, 5L};
        Object[] received = new Object[7];
        ByteBuffer message = ByteBuffer.wrap(Objects.serialize(sent, 0, 5, Types.OBJECT));
        assertEquals(5, Objects.number(message));
        assertEquals(5, Objects.deserialize(message, received, 1, 6, Types.OBJECT));
        assertEquals(0, message.remaining());
        Object[] expected = {null, "a", null, new int[] {1, 2}, new double[][] {{1}, {2, 3}}, 5L,
            null};
        assertArrayEquals(expected, received);
    }

    @Test
    void should_keep_references_within_a_message() {
        List<String> list = new ArrayList<>(List.of("x"));
        Object[] received = new Object[2];
        Objects.deserialize(message(list, list), received, 0, 2, Types.OBJECT);
        assertEquals(list, received[0]);
        assertSame(received[0], received[1]);
    }

    @Test
    void should_take_and_store_the_places_of_a_datatype() {
        Integer[] sent = {0, 1, 2, 3, 4, 5, 6, 7};
        Datatype odd = Datatype.Vector(3, 1, 2, Types.OBJECT);
        ByteBuffer message = ByteBuffer.wrap(Objects.serialize(sent, 1, 1, odd));
        assertEquals(3, Objects.number(message));
        Integer[] received = new Integer[8];
        Datatype pairs = Datatype.Indexed(new int[] {1, 1}, new int[] {2, 0}, Types.OBJECT);
        Objects.deserialize(message, received, 1, 2, pairs);
        assertArrayEquals(new Integer[] {null, 3, null, 1, null, null, 5, null}, received);
    }

    @Test
    void should_refuse_what_does_not_fit() {
        failsWith(ErrorClass.TRUNCATE, "3 objects",
                () -> Objects.deserialize(message(1, 2, 3), new Object[2], 0, 2, Types.OBJECT));
        failsWith(ErrorClass.TYPE, "Integer",
                () -> Objects.deserialize(message(1), new String[1], 0, 1, Types.OBJECT));
        failsWith(ErrorClass.OTHER, "Serializable", () -> message(new Object()));
        ByteBuffer torn = message("some text");
        torn.limit(torn.limit() - 3);
        failsWith(ErrorClass.OTHER, "cannot be read",
                () -> Objects.deserialize(torn, new Object[1], 0, 1, Types.OBJECT));
        failsWith(ErrorClass.OTHER, "cannot be read", () -> Objects.deserialize(
                ByteBuffer.allocate(2), new Object[1], 0, 1, Types.OBJECT));
        failsWith(ErrorClass.OTHER, "cannot be read", () -> Objects.deserialize(
                ByteBuffer.wrap(new byte[] {-1, 0, 0, 0, 0}), new Object[1], 0, 1,
                Types.OBJECT));
    }

    @Test
    void should_find_classes_by_the_context_class_loader_of_the_thread() {
        List<String> asked = new ArrayList<>();
        Thread thread = Thread.currentThread();
        ClassLoader own = thread.getContextClassLoader();
        thread.setContextClassLoader(new ClassLoader(own) {
            @Override
            protected Class<?> loadClass(String name, boolean resolve)
                    throws ClassNotFoundException {
                asked.add(name);
                return super.loadClass(name, resolve);
            }
        });
        try {
            Objects.deserialize(message(1, 2L), new Object[2], 0, 2,
                    Types.OBJECT);
        } finally {
            thread.setContextClassLoader(own);
        }
        assertTrue(asked.contains("java.lang.Integer"), asked.toString());
    }
}
