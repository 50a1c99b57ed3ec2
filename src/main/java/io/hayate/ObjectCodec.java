// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;

/** Java serialization, with an optional filter. */
final class ObjectCodec<T> implements Codec<T> {
    private final Class<T> type;
    private final ObjectInputFilter filter; // null: only that of the JVM

    ObjectCodec(Class<T> type, ObjectInputFilter filter) {
        this.type = type;
        this.filter = filter;
    }

    /** Finds classes as the program does, whose class loader may be another one than ours. */
    private static final class Input extends ObjectInputStream {
        private final ClassLoader loader;

        Input(InputStream in, ClassLoader loader) throws IOException {
            super(in);
            this.loader = loader;
        }

        @Override
        protected Class<?> resolveClass(ObjectStreamClass wanted)
                throws IOException, ClassNotFoundException {
            try {
                return Class.forName(wanted.getName(), false, loader);
            } catch (ClassNotFoundException elsewhere) {
                return super.resolveClass(wanted);
            }
        }
    }

    @Override
    public byte[] encode(T value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(value);
        }
        return bytes.toByteArray();
    }

    @Override
    public T decode(byte[] bytes) throws IOException, ClassNotFoundException {
        try (ObjectInputStream in =
                new Input(new ByteArrayInputStream(bytes), type.getClassLoader())) {
            if (filter != null) {
                in.setObjectInputFilter(filter);
            }
            return type.cast(in.readObject());
        }
    }
}
