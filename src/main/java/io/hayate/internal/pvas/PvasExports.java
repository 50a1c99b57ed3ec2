// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pvas;

import io.hayate.internal.bindings.PvasBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.job.Memory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * The exports of this process. The memory stays reachable while another process may access it, also
 * after it was withdrawn or replaced, because processes that have imported it are not notified.
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
            throw Errors.argument("memory in an array: expected a HeapSpan, a direct buffer or a"
                    + " native segment");
        }
        if (memory.readOnly) {
            throw Errors.argument("read-only memory cannot be exported: tasks could write to it");
        }
        retired.ensureCapacity(retired.size() + 1);
        memory.pin();
        Memory before = current.get(name);
        try {
            current.put(name, memory); // before other processes can see it, because it may fail
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

    /** Makes room for an entry. */
    private void retire(Memory memory) {
        retired.add(memory);
        memory.unpin();
    }

    /** Releases exports, because no process that could know them is alive. */
    synchronized void forgetRetired(BooleanSupplier nobodyLives) {
        if (!retired.isEmpty() && nobodyLives.getAsBoolean()) {
            retired.clear();
        }
    }

    /** Called when the space is closed. */
    synchronized void clear() {
        current.values().forEach(Memory::unpin);
        current.clear();
        retired.clear();
    }
}
