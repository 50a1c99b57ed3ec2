// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.pvas.PvasAccess;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Creates memory segments of the memory of tasks, on JDK 22 and later. */
public final class PvasSegments {
    private PvasSegments() {
    }

    /**
     * Returns the whole memory as a segment, without a copy. Any thread may use it. The segment
     * ends when the {@link PvasMemory}, its {@link PvasTask} or the {@link Pvas} is closed:
     * afterwards each access throws {@link IllegalStateException}, and the memory is freed at once,
     * even if the program still has the segment. Until then the memory stays, even if only the
     * segment is reachable.
     *
     * <p>The JDK treats this as native access: use {@code --enable-native-access}.
     *
     * @param memory the memory
     * @return a segment, read-only if the memory is
     * @throws ArgumentException if memory is null
     * @throws ClosedException if memory is closed
     */
    public static MemorySegment of(PvasMemory memory) {
        PvasAccess access = Errors.required(memory, "memory").access();
        Arena arena = (Arena) access.arena(Arena::ofShared, memory);
        MemorySegment segment = MemorySegment.ofAddress(access.address)
                .reinterpret(access.bytes, arena, null);
        return access.readOnly ? segment.asReadOnly() : segment;
    }
}
