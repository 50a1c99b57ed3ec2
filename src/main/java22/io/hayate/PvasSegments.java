// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.pvas.PvasAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Memory of tasks as memory segments, on JDK 22 and later. */
public final class PvasSegments {
    private PvasSegments() {
    }

    /**
     * All of a task's memory, without a copy. Any thread may use it. It ends with
     * {@link PvasMemory#close()}, with that of the {@link PvasTask} or of the {@link Pvas}:
     * afterwards each access throws {@link IllegalStateException}, and the memory is given back at
     * once, whoever still has the segment. Until then the memory is kept, even if nothing but the
     * segment can be reached.
     *
     * <p>The JDK counts this as native access: {@code --enable-native-access}.
     *
     * @param memory the memory
     * @return a segment, read-only if the memory is
     * @throws ArgumentException if memory is null
     * @throws ClosedException if it is closed
     */
    public static MemorySegment of(PvasMemory memory) {
        PvasAccess access = Errors.required(memory, "memory").access();
        Arena arena = (Arena) access.arena(Arena::ofShared, memory);
        MemorySegment segment = MemorySegment.ofAddress(access.address)
                .reinterpret(access.bytes, arena, null);
        return access.readOnly ? segment.asReadOnly() : segment;
    }
}
