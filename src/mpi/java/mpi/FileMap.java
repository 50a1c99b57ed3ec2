// SPDX-License-Identifier: Apache-2.0
package mpi;

/**
 * Where the bytes of a view are in its file. A view is a stream of bytes: the data of the filetype,
 * whose copies ("tiles") follow each other by its extent, from a displacement on. All numbers are
 * bytes. Immutable.
 */
final class FileMap {
    /** Receives bytes of the file that follow each other. */
    interface Ranges {
        /** Takes {@code bytes} from place {@code at} on; returns whether there shall be more. */
        boolean range(long at, long bytes);
    }

    final long disp;
    private final TypeMap tile;
    private final Level level;

    FileMap(long disp, TypeMap tile) {
        this.disp = disp;
        this.tile = tile;
        level = Level.of(tile.pieces);
    }

    /**
     * Pieces that follow each other in the stream.
     *
     * @param bodies what pieces with a body repeat; null for the others
     * @param before the bytes of the stream before each piece, and those of all
     */
    private record Level(Piece[] pieces, Level[] bodies, long[] before) {
        static Level of(Piece[] pieces) {
            Level[] bodies = new Level[pieces.length];
            long[] before = new long[pieces.length + 1];
            for (int i = 0; i < pieces.length; i++) {
                bodies[i] = pieces[i].isLeaf() ? null : of(pieces[i].body());
                before[i + 1] = before[i] + pieces[i].count() * unit(pieces[i], bodies[i]);
            }
            return new Level(pieces, bodies, before);
        }

        private static long unit(Piece piece, Level body) {
            return piece.isLeaf() ? piece.block() : body.size();
        }

        long size() {
            return before[pieces.length];
        }

        /** Returns the piece that contains a byte of the stream. */
        private int pieceOf(long byteOfStream) {
            int low = 0;
            int high = pieces.length - 1;
            while (low < high) {
                int middle = (low + high + 1) >>> 1;
                if (before[middle] <= byteOfStream) {
                    low = middle;
                } else {
                    high = middle - 1;
                }
            }
            return low;
        }

        /** Visits the bytes from..to of the stream, which begin at a base in the file. */
        boolean walk(long base, long from, long to, Ranges ranges) {
            boolean more = true;
            for (int i = pieceOf(from); more && before[i] < to; i++) {
                more = walk(i, base + pieces[i].offset(), Math.max(from, before[i]) - before[i],
                        Math.min(to, before[i + 1]) - before[i], ranges);
            }
            return more;
        }

        private boolean walk(int i, long base, long from, long to, Ranges ranges) {
            long unit = unit(pieces[i], bodies[i]);
            long next = from;
            boolean more = true;
            while (more && next < to) {
                long copy = next / unit;
                long start = next - copy * unit;
                long end = Math.min(to - copy * unit, unit);
                long at = base + copy * pieces[i].stride();
                more = bodies[i] == null ? ranges.range(at + start, end - start)
                        : bodies[i].walk(at, start, end, ranges);
                next = copy * unit + end;
            }
            return more;
        }

        /** The place of the first byte. */
        long first() {
            return pieces[0].offset() + (bodies[0] == null ? 0 : bodies[0].first());
        }

        /** Returns the bytes of the stream before the last one that is below a place. */
        long below(long place) {
            int i = pieces.length - 1;
            while (i > 0 && place <= pieces[i].offset() + inner(i)) {
                i--;
            }
            Piece piece = pieces[i];
            long rest = place - piece.offset() - inner(i);
            if (rest <= 0) {
                return 0;
            }
            long copy = piece.stride() <= 0 ? piece.count() - 1
                    : Math.min((rest - 1) / piece.stride(), piece.count() - 1);
            long within = place - piece.offset() - copy * piece.stride();
            return before[i] + copy * unit(piece, bodies[i])
                    + (bodies[i] == null ? Math.min(within, piece.block())
                            : bodies[i].below(within));
        }

        private long inner(int i) {
            return bodies[i] == null ? 0 : bodies[i].first();
        }
    }

    /**
     * Visits the ranges of some bytes of the stream, in its order.
     *
     * @param from where they begin, at least 0
     * @param bytes how many there are, if {@link #end} accepts them
     */
    void walk(long from, long bytes, Ranges ranges) {
        if (tile.isContiguous()) {
            if (bytes > 0) {
                ranges.range(disp + from, bytes);
            }
            return;
        }
        boolean more = true;
        long next = from;
        while (more && next < from + bytes) {
            long copy = next / tile.size;
            long start = next - copy * tile.size;
            long end = Math.min(from + bytes - copy * tile.size, tile.size);
            more = level.walk(disp + copy * tile.extent(), start, end, ranges);
            next = copy * tile.size + end;
        }
    }

    /** Says whether a tile, whose blocks follow each other, and the next one share bytes. */
    boolean overlapsNext() {
        return tile.extent() < tile.trueUb - tile.trueLb && !level.walk(tile.extent(), 0, tile.size,
                (at, bytes) -> level.below(at) == level.below(at + bytes));
    }

    /** Returns the place of a byte of the stream. */
    long place(long byteOfStream) {
        long[] place = {disp};
        end(byteOfStream, tile.size == 0 ? 0 : 1);
        walk(byteOfStream, tile.size == 0 ? 0 : 1, (at, bytes) -> {
            place[0] = at;
            return false;
        });
        return place[0];
    }

    /** Returns a place that is not behind any of some bytes of the stream. */
    long begin(long from) {
        return tile.size == 0 ? disp : disp + from / tile.size * tile.extent() + tile.trueLb;
    }

    /** Returns a place that is behind all of some bytes of the stream. */
    long end(long from, long bytes) {
        if (bytes == 0) {
            return disp;
        }
        if (tile.size == 0) {
            throw new MPIException(ErrorClass.ARG, "the filetype of the view has no data: expected"
                    + " an access of 0 elements");
        }
        try {
            long last = (Math.addExact(from, bytes) - 1) / tile.size;
            return Math.addExact(disp, Math.addExact(Math.multiplyExact(last, tile.extent()),
                    tile.trueUb));
        } catch (ArithmeticException e) {
            throw new MPIException(ErrorClass.ARG, bytes + " bytes from byte " + from
                    + " of the view on end beyond 2^63 bytes of the file");
        }
    }

    /** Returns the bytes of the stream up to the last one below a place: the end of a file. */
    long bytesBelow(long place) {
        long rest = place - disp;
        if (tile.size == 0 || rest <= tile.trueLb) {
            return 0;
        }
        long copy = (rest - 1 - tile.trueLb) / tile.extent();
        return copy * tile.size + level.below(rest - copy * tile.extent());
    }
}
