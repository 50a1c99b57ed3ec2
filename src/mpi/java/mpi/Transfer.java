// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;

/**
 * A read or write of data in a view.
 *
 * @param from where the data begin in the stream of the view, in bytes
 * @param atomic whether nobody else in atomic mode sees a part of it
 */
record Transfer(Store store, FileMap map, long from, Block data, boolean reads, boolean atomic) {
    /** Does it; returns its status. */
    Status run() {
        long bytes = Layout.bytesNeeded(data.count(), data.type());
        long end = map.end(from, bytes);
        long moved = bytes == 0 ? 0
                : atomic ? store.locked(map.begin(from), end, reads, this::move) : move();
        Reference.reachabilityFence(data.buf());
        return new Status(Constants.ANY_SOURCE, Constants.ANY_TAG, moved);
    }

    private long move() {
        FileData windows = FileData.of(data);
        long moved = 0;
        ByteBuffer window = windows.next(!reads);
        while (window != null) {
            Part part = new Part(window);
            map.walk(from + moved, window.capacity(), part);
            moved += part.finish();
            if (reads) {
                windows.store();
            }
            window = part.ended ? null : windows.next(!reads);
        }
        return moved;
    }

    /** The ranges of one window, of which those are joined that follow each other. */
    private final class Part implements FileMap.Ranges {
        private final ByteBuffer window;
        private long begin;
        private long length;
        /** A read has come to the end of the file. */
        private boolean ended;

        Part(ByteBuffer window) {
            this.window = window;
        }

        @Override
        public boolean range(long at, long bytes) {
            if (length > 0 && at != begin + length) {
                move();
            }
            begin = length == 0 ? at : begin;
            length += bytes;
            return !ended;
        }

        private void move() {
            if (!ended && length > 0) {
                window.limit(window.position() + (int) length);
                if (reads) {
                    ended = !store.read(window, begin);
                } else {
                    store.write(window, begin);
                }
            }
            length = 0;
        }

        /** Returns the bytes that were moved. */
        long finish() {
            move();
            return window.position();
        }
    }
}
