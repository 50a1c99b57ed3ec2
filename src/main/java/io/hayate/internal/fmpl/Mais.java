// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.bindings.MemoryBinding;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Some entries, also in native memory: C reads them in each look, without a call of the JVM. */
public final class Mais {
    private final int[] mais;
    private final ByteBuffer memory; // stays as long as this object is reachable
    final long address;

    Mais(int[] mais) {
        this.mais = mais.clone();
        memory = ByteBuffer.allocateDirect(mais.length * Integer.BYTES);
        memory.order(ByteOrder.nativeOrder()).asIntBuffer().put(this.mais);
        address = MemoryBinding.address(memory);
    }

    public int count() {
        return mais.length;
    }

    public int get(int index) {
        return mais[index];
    }

    /** Returns the entry if it is the only one; -1: there are several. */
    int single() {
        return mais.length == 1 ? mais[0] : -1;
    }

    @Override
    public String toString() {
        return "mai " + (mais.length == 1 ? mais[0] : Arrays.toString(mais));
    }
}
