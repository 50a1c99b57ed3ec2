// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of all persistent operations of one FMPL. Peers access it: it is held until its
 * operation or the FMPL is closed, and stays reachable until its operation is closed or the FMPL is
 * unreachable.
 */
public final class HeldMemories {
    private final FmplContext context;
    private final Set<HeldMemory> alive = ConcurrentHashMap.newKeySet();

    HeldMemories(FmplContext context) {
        this.context = context;
    }

    public void add(HeldMemory memory) {
        memory.hold(context);
        alive.add(memory);
        context.anchor().kept().add(memory.ranges);
    }

    /** Releases the memory of an operation that is closed, also in C, or was never opened. */
    public void remove(HeldMemory memory) {
        alive.remove(memory);
        context.anchor().kept().remove(memory.ranges);
        memory.release();
    }

    /** Called when the FMPL is closed: no run starts any more. */
    void close() {
        alive.forEach(HeldMemory::release);
        alive.clear();
    }
}
