// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.function.LongUnaryOperator;

/** How all reads and writes of a file begin: their checks, and where their data are. */
class FileTransfers extends FileState {
    FileTransfers() {
    }

    /** Does it at once. The pointer moves on by some etypes, and returns where it was. */
    final Status now(boolean reads, Block data, LongUnaryOperator pointer) {
        return guarded(() -> transfer(reads, data, pointer).run());
    }

    /** Begins it. */
    final Request later(boolean reads, Block data, LongUnaryOperator pointer) {
        return guarded(() -> new Request(engine, started(transfer(reads, data, pointer))));
    }

    final FileRequest started(Transfer transfer) {
        return new FileRequest(this, transfer, background());
    }

    final Transfer transfer(boolean reads, Block data, LongUnaryOperator pointer) {
        long etypes = etypes(reads, data);
        return transferAt(reads, data, pointer.applyAsLong(etypes));
    }

    private Transfer transferAt(boolean reads, Block data, long first) {
        long from = byteOf(requireOffset(first));
        map.end(from, Layout.bytesNeeded(data.count(), data.type()));
        return new Transfer(store, map, from, data, reads, atomic);
    }

    /** Checks everything but the place; returns how many etypes the data are. */
    private long etypes(boolean reads, Block data) {
        if (reads) {
            mode.requireReads();
            data.requireRoom();
        } else {
            mode.requireWrites();
            data.requireSent();
        }
        if (data.isObjects()) {
            throw new MPIException(ErrorClass.TYPE, "objects have no fixed size in a file: expected"
                    + " a type of primitive elements; serialize them to bytes");
        }
        long bytes = Layout.bytesNeeded(data.count(), data.type());
        long each = view.getEType().bytes;
        if (bytes % each != 0) {
            throw new MPIException(ErrorClass.TYPE, "the data have " + bytes + " bytes, and the"
                    + " etype of the view " + each + ": expected a multiple");
        }
        return bytes / each;
    }

    // ---- where ----

    /** An explicit offset. */
    final LongUnaryOperator offset(long etypes) {
        return length -> {
            mode.requireRandom();
            return requireOffset(etypes);
        };
    }

    /** The individual pointer, which stays where an access would go beyond all files. */
    final long next(long etypes) {
        mode.requireRandom();
        return position.getAndUpdate(now -> Math.max(now, now + etypes));
    }

    /**
     * At the shared pointer, in the order of ranks; collective. A rank that fails takes part, so
     * that the others go on.
     */
    final Transfer ordered(boolean reads, Block data, Runnable check) {
        long[] etypes = {0};
        MPIException failure = Agreement.failureOf(() -> {
            check.run();
            etypes[0] = etypes(reads, data);
        });
        Agreement lengths = Agreement.exchange(ranks, failure, etypes[0]);
        long before = 0;
        long all = 0;
        for (int i = 0; i < ranks.size(); i++) {
            before += i < rank() ? lengths.of(i, 0) : 0;
            all += lengths.of(i, 0);
        }
        long first = begin(all) + before;
        if (failure != null) {
            throw failure;
        }
        return transferAt(reads, data, first);
    }

    /** Moves the shared pointer for all ranks. */
    private long begin(long etypes) {
        long[] begin = {0};
        MPIException failure = Agreement.failureOf(() ->
                begin[0] = rank() == OWNER ? takeShared(etypes) : 0);
        return Agreement.on(ranks, failure, begin[0]).of(OWNER, 0);
    }
}
