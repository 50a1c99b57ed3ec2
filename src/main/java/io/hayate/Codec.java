// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import java.io.ObjectInputFilter;
import java.io.Serializable;

/**
 * Turns values into bytes and back, for {@link Values}. A codec must be usable by several threads
 * at once.
 *
 * @param <T> the type of the values
 */
public interface Codec<T> {
    /**
     * Encodes a value.
     *
     * @param value the value, not null
     * @return its bytes, which the codec does not change any more
     * @throws Exception any exception, if the value cannot be encoded
     */
    byte[] encode(T value) throws Exception;

    /**
     * Decodes a value.
     *
     * @param bytes what {@link #encode} has returned on another rank; the codec may keep the array
     * @return the value
     * @throws Exception any exception, if the bytes cannot be decoded
     */
    T decode(byte[] bytes) throws Exception;

    /**
     * Returns the codec of strings: UTF-8.
     *
     * @return a codec that refuses strings with unpaired surrogates
     */
    static Codec<String> strings() {
        return Codecs.STRINGS;
    }

    /**
     * Returns the codec of bytes, which are sent as they are.
     *
     * @return a codec
     */
    static Codec<byte[]> bytes() {
        return Codecs.BYTES;
    }

    /**
     * Returns the codec of arrays of ints.
     *
     * @return a codec
     */
    static Codec<int[]> ints() {
        return Codecs.INTS;
    }

    /**
     * Returns the codec of arrays of longs.
     *
     * @return a codec
     */
    static Codec<long[]> longs() {
        return Codecs.LONGS;
    }

    /**
     * Returns the codec of arrays of floats.
     *
     * @return a codec
     */
    static Codec<float[]> floats() {
        return Codecs.FLOATS;
    }

    /**
     * Returns the codec of arrays of doubles.
     *
     * @return a codec
     */
    static Codec<double[]> doubles() {
        return Codecs.DOUBLES;
    }

    /**
     * Returns the codec of serializable objects, without a filter: whoever may send to this rank
     * may create any serializable object in it. The ranks of a job run the same program as the same
     * user, so they are as trusted as this process. With another trust, pass a filter to
     * {@link #objects(Class, ObjectInputFilter)}. The filter of the JVM ({@code
     * -Djdk.serialFilter}) applies in any case.
     *
     * @param <T> the type of the values
     * @param type the class of the values
     * @return a codec by Java serialization
     * @throws ArgumentException if type is null
     */
    static <T extends Serializable> Codec<T> objects(Class<T> type) {
        return new ObjectCodec<>(Errors.required(type, "type"), null);
    }

    /**
     * Returns the codec of serializable objects of which a filter admits all parts.
     *
     * @param <T> the type of the values
     * @param type the class of the values
     * @param filter decides which classes, depths and sizes are decoded, for example
     *     {@code ObjectInputFilter.Config.createFilter("com.example.*;java.base/*;!*")}
     * @return a codec by Java serialization
     * @throws ArgumentException if an argument is null
     */
    static <T extends Serializable> Codec<T> objects(Class<T> type, ObjectInputFilter filter) {
        return new ObjectCodec<>(
                Errors.required(type, "type"), Errors.required(filter, "filter"));
    }
}
