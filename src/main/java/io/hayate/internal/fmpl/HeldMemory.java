// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

import io.hayate.internal.job.Memory;

/**
 * The memory and the reduction of a persistent operation, which cannot be closed while it exists.
 */
public final class HeldMemory {
    /** The memory that the operation reads and writes; null: it has no buffer on that side. */
    final Memory[] ranges;
    private final ReduceOp reduction;
    private boolean held; // guarded by this

    public HeldMemory(Memory in, Memory out, ReduceOp reduction) {
        ranges = new Memory[] {in, out};
        this.reduction = reduction;
    }

    /** Returns whether the memory can disappear while it is held. */
    public boolean perishes() {
        for (Memory range : ranges) {
            if (range != null && range.perishes()) {
                return true;
            }
        }
        return false;
    }

    public void requireAlive() {
        for (Memory range : ranges) {
            if (range != null) {
                range.at(0, 0);
            }
        }
    }

    synchronized void hold(FmplContext context) {
        if (reduction != null) {
            reduction.begin(context);
        }
        for (Memory range : ranges) {
            if (range != null) {
                range.pin();
            }
        }
        held = true;
    }

    synchronized void release() {
        if (!held) {
            return;
        }
        held = false;
        for (Memory range : ranges) {
            if (range != null) {
                range.unpin();
            }
        }
        if (reduction != null) {
            reduction.end();
        }
    }
}
