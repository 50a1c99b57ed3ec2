// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Hints as pairs of texts, a key and its value, in the order in which the keys were first set. Any
 * number of threads may use an object. After {@link #free} every call fails with
 * {@code MPI.ERR_INFO}, except {@link #isNull}.
 */
public final class Info implements Freeable, Cloneable {
    /** {@code MPI.INFO_NULL}. */
    static final Info NULL = new Info((Map<String, String>) null);

    /** Null: freed, or null from the beginning. Guarded by this. */
    private Map<String, String> pairs;

    /** Creates an object without keys. */
    public Info() {
        this(new LinkedHashMap<>());
    }

    private Info(Map<String, String> pairs) {
        this.pairs = pairs;
    }

    /** Returns a copy of hints, which may be {@code MPI.INFO_NULL}, but not null. */
    static Info copyOf(Info hints) {
        if (hints == null) {
            throw new MPIException(ErrorClass.INFO,
                    "the info is null: expected hints, or MPI.INFO_NULL");
        }
        return hints.isNull() ? new Info() : hints.dup();
    }

    private Map<String, String> pairs() {
        if (pairs == null) {
            throw new MPIException(ErrorClass.INFO,
                    "the info is null or was freed: expected one made by new Info() or dup()");
        }
        return pairs;
    }

    private static String checkKey(String key) {
        return check(key, "key", Constants.MAX_INFO_KEY, ErrorClass.INFO_KEY);
    }

    private static String check(String text, String what, int limit, int errorClass) {
        if (text == null || text.isEmpty() || text.length() >= limit) {
            throw new MPIException(errorClass, "the " + what + " is "
                    + (text == null ? "null" : "\"" + text + "\"") + ": expected 1 to "
                    + (limit - 1) + " characters");
        }
        return text;
    }

    /**
     * Sets the value of a key, which may have had one.
     *
     * @param key 1 to {@code MPI.MAX_INFO_KEY - 1} characters
     * @param value 1 to {@code MPI.MAX_INFO_VAL - 1} characters
     * @throws MPIException {@code ERR_INFO_KEY} or {@code ERR_INFO_VALUE} if one has another length
     */
    public synchronized void set(String key, String value) {
        Map<String, String> all = pairs();
        all.put(checkKey(key),
                check(value, "value", Constants.MAX_INFO_VAL, ErrorClass.INFO_VALUE));
    }

    /**
     * Returns the value of a key.
     *
     * @param key 1 to {@code MPI.MAX_INFO_KEY - 1} characters
     * @return the value, or null if the key has none
     */
    public synchronized String get(String key) {
        return pairs().get(checkKey(key));
    }

    /**
     * Removes a key and its value.
     *
     * @param key 1 to {@code MPI.MAX_INFO_KEY - 1} characters
     * @throws MPIException {@code ERR_INFO_NOKEY} if there is no such key
     */
    public synchronized void delete(String key) {
        if (pairs().remove(checkKey(key)) == null) {
            throw new MPIException(ErrorClass.INFO_NOKEY, "the info has no key \"" + key
                    + "\": expected one of " + pairs.keySet());
        }
    }

    /**
     * Returns the number of keys.
     *
     * @return 0 or more
     */
    public synchronized int size() {
        return pairs().size();
    }

    /**
     * Returns a key by its number.
     *
     * @param i 0 to {@code size() - 1}, in the order in which the keys were set
     * @return the key
     * @throws MPIException {@code ERR_ARG} if there is no such number
     */
    public synchronized String getKey(int i) {
        Bounds.check(i, pairs().size(), "key number");
        return pairs.keySet().stream().skip(i).findFirst().orElseThrow();
    }

    /**
     * Returns a copy, which is independent of this object.
     *
     * @return a new object with the same pairs in the same order
     */
    public synchronized Info dup() {
        return new Info(new LinkedHashMap<>(pairs()));
    }

    /**
     * Returns a copy, as {@link #dup}.
     *
     * @return a new object with the same pairs in the same order
     */
    @Override
    public Info clone() {
        return dup();
    }

    /**
     * Says whether this object is null, as after {@link #free}.
     *
     * @return true if every other call fails
     */
    public synchronized boolean isNull() {
        return pairs == null;
    }

    /** Frees this object; it is null then. */
    @Override
    public synchronized void free() {
        pairs();
        pairs = null;
    }
}
