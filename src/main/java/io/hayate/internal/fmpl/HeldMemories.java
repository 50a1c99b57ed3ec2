// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The memory of all persistent operations of one FMPL. Peers reach it: it is held until its
 * operation or the FMPL is closed, and stays reachable until its operation is closed or nobody can
 * reach the FMPL.
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

    /** Its operation is closed, natively too, or was never opened. */
    public void remove(HeldMemory memory) {
        alive.remove(memory);
        context.anchor().kept().remove(memory.ranges);
        memory.release();
    }

    /** The FMPL is closed: no run begins any more. */
    void close() {
        alive.forEach(HeldMemory::release);
        alive.clear();
    }
}
