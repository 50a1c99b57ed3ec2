// SPDX-License-Identifier: Apache-2.0
package java.lang.foreign;

import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Signatures of the JDK 22 interface, so that JDK 17 can compile {@code src/main/java22}. Only for
 * the compiler: it is never in the jar, and at run time the JDK's own interface is used.
 */
public interface MemorySegment {
    MemorySegment NULL = null;

    interface Scope {
        boolean isAlive();
    }

    Scope scope();

    long address();

    long byteSize();

    boolean isNative();

    boolean isMapped();

    boolean isReadOnly();

    boolean isAccessibleBy(Thread thread);

    Optional<Object> heapBase();

    MemorySegment asSlice(long offset);

    MemorySegment asSlice(long offset, long newSize);

    MemorySegment asReadOnly();

    ByteBuffer asByteBuffer();

    MemorySegment reinterpret(long newSize);

    MemorySegment reinterpret(long newSize, Arena arena, Consumer<MemorySegment> cleanup);

    MemorySegment copyFrom(MemorySegment src);

    MemorySegment fill(byte value);

    static MemorySegment ofArray(byte[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(short[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(char[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(int[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(long[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(float[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofArray(double[] array) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofBuffer(Buffer buffer) {
        throw new UnsupportedOperationException();
    }

    static MemorySegment ofAddress(long address) {
        throw new UnsupportedOperationException();
    }
}
