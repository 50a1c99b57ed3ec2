// SPDX-License-Identifier: Apache-2.0
package java.lang.foreign;

/** Signatures of the JDK 22 interface, only for the compiler: see {@link MemorySegment}. */
public interface Arena extends AutoCloseable {
    MemorySegment allocate(long byteSize);

    MemorySegment allocate(long byteSize, long byteAlignment);

    @Override
    void close();

    static Arena ofConfined() {
        throw new UnsupportedOperationException();
    }

    static Arena ofShared() {
        throw new UnsupportedOperationException();
    }

    static Arena ofAuto() {
        throw new UnsupportedOperationException();
    }

    static Arena global() {
        throw new UnsupportedOperationException();
    }
}
