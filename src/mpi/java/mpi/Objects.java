// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.nio.ByteBuffer;

/**
 * Messages of objects: their number, 4 bytes in big-endian order, and one stream of Java's
 * serialization. References between objects of one message are kept.
 */
final class Objects {
    private Objects() {
    }

    /**
     * Serializes the objects at the places that a datatype names.
     *
     * @param buf an array that {@link Layout#check} accepted
     * @param offset the index of the first element
     * @throws MPIException if an object cannot be serialized, with ERR_OTHER
     */
    static byte[] serialize(Object buf, long offset, int count, Datatype type) {
        Object[] objects = (Object[]) buf;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        int number = Math.toIntExact(Layout.bytesNeeded(count, type));
        bytes.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(number).array());
        try (ObjectOutputStream stream = new ObjectOutputStream(bytes)) {
            for (int place : places(offset, count, type, number)) {
                stream.writeObject(objects[place]);
            }
        } catch (IOException | RuntimeException e) {
            throw failed("an object of the message cannot be serialized (" + e + "): its class"
                    + " and those of its fields must implement java.io.Serializable", e);
        }
        return bytes.toByteArray();
    }

    /** Returns the number of objects in a message. */
    static int number(ByteBuffer message) {
        return message.remaining() < Integer.BYTES ? 0
                : message.duplicate().getInt(message.position());
    }

    /**
     * Reads a message into the places that a datatype names, or the first ones of them. Classes
     * are found by the context class loader of the thread.
     *
     * @param message what {@link #serialize} returned, from the position on, which is advanced
     * @param buf an array that {@link Layout#checkReceive} accepted
     * @param offset the index of the first element
     * @return the number of the objects
     * @throws MPIException if there are more objects than places, with ERR_TRUNCATE; if an object
     *     does not fit the type of the array, with ERR_TYPE; if one cannot be read, with ERR_OTHER
     */
    static int deserialize(ByteBuffer message, Object buf, long offset, int count, Datatype type) {
        Object[] objects = (Object[]) buf;
        int number = number(message);
        if (number > Layout.bytesNeeded(count, type)) {
            throw new MPIException(ErrorClass.TRUNCATE, "the message has " + number
                    + " objects, and there are " + Layout.bytesNeeded(count, type)
                    + " places: receive with a larger count");
        }
        byte[] bytes = new byte[message.remaining()];
        message.get(bytes);
        InputStream body = new ByteArrayInputStream(bytes, Integer.BYTES,
                Math.max(0, bytes.length - Integer.BYTES));
        try (ObjectInputStream stream = new ContextStream(body)) {
            for (int place : places(offset, count, type, number)) {
                objects[place] = stream.readObject();
            }
        } catch (ArrayStoreException e) {
            throw new MPIException(ErrorClass.TYPE, "an object of the message is a "
                    + e.getMessage() + ", and the array is a "
                    + objects.getClass().getSimpleName());
        } catch (IOException | ClassNotFoundException | RuntimeException e) {
            throw failed("an object of the message cannot be read (" + e + "): the receiver needs"
                    + " the classes of the sender, and MPI.OBJECT on both sides", e);
        }
        return number;
    }

    /** Returns the indices of the first objects, in the order of the type map. */
    private static int[] places(long offset, int count, Datatype type, int number) {
        int[] places = new int[number];
        int[] next = {0};
        type.map.visit(offset, count, (first, block, blocks, stride) -> {
            for (long i = 0; i < blocks * block && next[0] < number; i++) {
                places[next[0]++] = (int) (first + i / block * stride + i % block);
            }
        });
        return places;
    }

    private static MPIException failed(String text, Throwable cause) {
        return new MPIException(ErrorClass.OTHER, text, cause);
    }

    /** Finds classes by the context class loader of the thread, then as usual. */
    private static final class ContextStream extends ObjectInputStream {
        ContextStream(InputStream in) throws IOException {
            super(in);
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass description)
                throws IOException, ClassNotFoundException {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            try {
                return loader == null ? super.resolveClass(description)
                        : Class.forName(description.getName(), false, loader);
            } catch (ClassNotFoundException e) {
                return super.resolveClass(description);
            }
        }
    }
}
