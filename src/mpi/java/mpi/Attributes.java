// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Objects that a program attaches to a communicator, window or datatype, each under a key that it
 * has created. They are kept as references. Any number of threads may use them.
 */
final class Attributes {
    /** The first key of programs; smaller ones are predefined, as {@code MPI.TAG_UB}. */
    static final int FIRST_KEY = 16;

    private static final AtomicInteger NEXT_KEY = new AtomicInteger(FIRST_KEY);
    private static final Set<Integer> KEYS = ConcurrentHashMap.newKeySet();

    private final Map<Integer, Object> values;

    Attributes() {
        this(Map.of());
    }

    private Attributes(Map<Integer, Object> values) {
        this.values = new ConcurrentHashMap<>(values);
    }

    /** Creates a key, another one each time. */
    static int createKeyval() {
        int key = NEXT_KEY.getAndIncrement();
        KEYS.add(key);
        return key;
    }

    /** Frees a key. What is attached under it can be read and deleted, but not replaced. */
    static void freeKeyval(int keyval) {
        if (!KEYS.remove(keyval)) {
            throw noKey(keyval);
        }
    }

    private static Integer check(int keyval) {
        if (!KEYS.contains(keyval)) {
            throw noKey(keyval);
        }
        return keyval;
    }

    private static MPIException noKey(int keyval) {
        return new MPIException(ErrorClass.KEYVAL, "key " + keyval + " of an attribute "
                + (keyval >= 0 && keyval < FIRST_KEY ? "is predefined" : "does not exist")
                + ": expected one that createKeyval() returned and freeKeyval() has not freed");
    }

    /** Attaches an object, instead of one that was attached before; null: detaches. */
    void set(int keyval, Object value) {
        if (value == null) {
            values.remove(check(keyval));
        } else {
            values.put(check(keyval), value);
        }
    }

    /** Returns what is attached, or null. */
    Object get(int keyval) {
        Object value = values.get(keyval);
        return value != null ? value : values.get(check(keyval));
    }

    /** Detaches an object; there need not be one. */
    void delete(int keyval) {
        if (values.remove(keyval) == null) {
            check(keyval);
        }
    }

    /** Returns the attributes of a duplicate: the same objects under the same keys. */
    Attributes copy() {
        return new Attributes(values);
    }
}
