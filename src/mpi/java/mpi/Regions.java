// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.nio.Buffer;
import java.util.Arrays;

/**
 * Memory that members attach to a dynamic window. Each has a table in its {@link Control}, which
 * the others read at each access: of a region its first displacement, its bytes (0: the entry is
 * free) and its offset in the heap.
 */
final class Regions {
    /** How many regions a member can have at a time. */
    static final int MOST = 64;
    private static final int ENTRY = 3;
    /** The size of a table. */
    static final long BYTES = MOST * ENTRY * Long.BYTES;
    /** What displacements of regions are multiples of. */
    private static final int ALIGNMENT = 64;

    private final Heaps heaps;
    private final Control control;
    private final int self;
    private final Part[] attached = new Part[MOST];
    private long next;

    Regions(Heaps heaps, Control control, int self) {
        this.heaps = heaps;
        this.control = control;
        this.self = self;
    }

    /** Attaches memory behind all that was ever attached. */
    synchronized void attach(Part part) {
        int slot = Arrays.asList(attached).indexOf(null);
        if (slot < 0) {
            part.close();
            throw new MPIException(ErrorClass.RMA_ATTACH, MOST + " buffers are attached: detach"
                    + " one first, or attach larger ones");
        }
        if (next + part.bytes() > Integer.MAX_VALUE) {
            part.close();
            throw new MPIException(ErrorClass.RMA_ATTACH, "2 GiB were attached to this window since"
                    + " it was made: displacements, which are ints, cannot name more; make a new"
                    + " window");
        }
        write(slot, next, part.bytes(), part.at());
        attached[slot] = part;
        next += part.bytes() + ALIGNMENT - 1 & -ALIGNMENT;
    }

    synchronized boolean has(Buffer base) {
        return slotOf(base) >= 0;
    }

    private int slotOf(Buffer base) {
        for (int slot = 0; slot < MOST; slot++) {
            if (attached[slot] != null && attached[slot].base() == base) {
                return slot;
            }
        }
        return -1;
    }

    synchronized void detach(Buffer base) {
        int slot = slotOf(base);
        if (slot < 0) {
            throw new MPIException(ErrorClass.RMA_ATTACH, "the buffer is not attached: expected the"
                    + " object that was passed to attach()");
        }
        write(slot, 0, 0, 0);
        attached[slot].merge();
        attached[slot].close();
        attached[slot] = null;
    }

    private void write(int slot, long first, long bytes, long at) {
        long entry = Control.TABLE + (long) slot * ENTRY * Long.BYTES;
        heaps.exclusively(self, () -> {
            control.memory().putLong(entry, first);
            control.memory().putLong(entry + Long.BYTES, bytes);
            control.memory().putLong(entry + 2 * Long.BYTES, at);
        });
    }

    synchronized void merge() {
        for (Part part : attached) {
            if (part != null) {
                part.merge();
            }
        }
    }

    synchronized void close() {
        for (Part part : attached) {
            if (part != null) {
                part.close();
            }
        }
    }

    /**
     * Returns where elements are in the heap of a member.
     *
     * @param displacement of the beginning of the first element, in bytes
     */
    long locate(int rank, long displacement, int count, Datatype type) {
        long[] table = new long[MOST * ENTRY];
        Payload room = Payload.ofReceive(table, 0, table.length, Types.LONG);
        heaps.exclusively(rank, () -> heaps.get(room, 0, BYTES, rank,
                heaps.control(rank, Control.TABLE)));
        for (int i = 0; i < table.length; i += ENTRY) {
            long from = displacement - table[i];
            if (table[i + 1] > 0 && Layout.fits(type.map, from, count, table[i + 1])) {
                return table[i + 2] + from;
            }
        }
        throw new MPIException(ErrorClass.RMA_RANGE, count + " elements of the datatype " + type
                + " at displacement " + displacement + " are not in one buffer that rank " + rank
                + " has attached");
    }
}
