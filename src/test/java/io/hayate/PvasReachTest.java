// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.hayate.internal.bindings.MemoryBinding;
import io.hayate.internal.lifetime.PvasReach;
import io.hayate.internal.natives.NativeLoader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests behaviour of the JDK that is not documented, but on which buffers of tasks depend. */
class PvasReachTest {
    private static final int COLLECTIONS = 12;
    private static final ByteBuffer MEMORY = ByteBuffer.allocateDirect(4096);

    private static final List<Function<ByteBuffer, Object>> VIEWS = List.of(
            view -> view,
            ByteBuffer::slice,
            view -> view.slice(8, 16),
            ByteBuffer::duplicate,
            ByteBuffer::asReadOnlyBuffer,
            ByteBuffer::asLongBuffer,
            view -> view.asDoubleBuffer().slice(),
            view -> view.duplicate().slice(64, 64).asReadOnlyBuffer().asIntBuffer().duplicate(),
            view -> view.order(ByteOrder.BIG_ENDIAN).alignedSlice(8).asCharBuffer(),
            Span::of,
            view -> Span.of(view).slice(8, 8));

    private static Object viewOf(Function<ByteBuffer, Object> maker, AtomicBoolean unreachable) {
        ByteBuffer root = PvasReach.view(MemoryBinding.address(MEMORY), MEMORY.capacity());
        PvasReach.onUnreachable(root, () -> unreachable.set(true));
        return maker.apply(root);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void should_see_a_buffer_as_reachable_as_long_as_anything_made_of_it_is(int which)
            throws InterruptedException {
        NativeLoader.load();
        AtomicBoolean unreachable = new AtomicBoolean();
        Object[] kept = {viewOf(VIEWS.get(which), unreachable)};
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(5);
        }
        assertFalse(unreachable.get(), () -> kept[0].getClass() + " does not keep its root");
        kept[0] = null;
        assertTrue(PvasTasks.collectUntil(unreachable::get), "it is never seen as unreachable");
    }

    @Test
    void should_give_views_in_native_order() {
        NativeLoader.load();
        ByteBuffer view = PvasReach.view(MemoryBinding.address(MEMORY), 16);
        assertEquals(ByteOrder.nativeOrder(), view.order());
        assertEquals(16, view.capacity());
    }
}
