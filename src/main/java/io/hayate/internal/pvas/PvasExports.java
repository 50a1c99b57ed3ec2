// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.Errors;
import io.hayate.internal.PvasBinding;
import io.hayate.internal.job.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * What this process exports. It stays reachable while somebody may look at it, also when it was
 * taken back or replaced: who has imported it before is not told.
 */
public final class PvasExports {
    private final int space;
    private final Map<String, Memory> current = new HashMap<>();
    private final ArrayList<Memory> retired = new ArrayList<>();

    public PvasExports(int space) {
        this.space = space;
    }

    public synchronized void put(String name, Memory memory) {
        byte[] text = PvasTexts.text("a name", Errors.required(name, "name"));
        if (memory.array != null) {
            throw Errors.argument("memory of an array: expected a HeapSpan, a direct buffer or a"
                    + " native segment");
        }
        if (memory.readOnly) {
            throw Errors.argument("read-only memory: tasks could write to it");
        }
        retired.ensureCapacity(retired.size() + 1);
        memory.pin();
        Memory before = current.get(name);
        try {
            current.put(name, memory); // before others can see it, as it may fail
            long address = memory.at(0, memory.bytes);
            Errors.check(PvasBinding.pvasExport(space, text, address, memory.bytes));
        } catch (RuntimeException | Error refused) {
            restore(name, before);
            memory.unpin();
            throw refused;
        }
        if (before != null) {
            retire(before);
        }
    }

    private void restore(String name, Memory before) {
        if (before == null) {
            current.remove(name);
        } else {
            current.replace(name, before);
        }
    }

    public synchronized void remove(String name) {
        byte[] text = PvasTexts.text("a name", Errors.required(name, "name"));
        if (current.containsKey(name)) {
            retired.ensureCapacity(retired.size() + 1);
            Errors.check(PvasBinding.pvasExport(space, text, 0, 0));
            retire(current.remove(name));
        }
    }

    /** There is room for it. */
    private void retire(Memory memory) {
        retired.add(memory);
        memory.unpin();
    }

    /** Nobody who could know of them is alive. */
    synchronized void forgetRetired(BooleanSupplier nobodyLives) {
        if (!retired.isEmpty() && nobodyLives.getAsBoolean()) {
            retired.clear();
        }
    }

    /** The space is over. */
    synchronized void clear() {
        current.values().forEach(Memory::unpin);
        current.clear();
        retired.clear();
    }
}
