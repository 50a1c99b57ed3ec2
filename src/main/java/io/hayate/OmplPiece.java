// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import java.util.List;

/**
 * A piece of a vector: local memory, and where it belongs in a part of the global space.
 *
 * @param span the memory, all of it; see {@link Span#slice}
 * @param at offset in the target's part
 */
public record OmplPiece(Span span, long at) {
    private static final int NUMBERS = 3;

    /** As the door takes them: start, bytes and offset of each. */
    static long[] numbers(Hayate job, List<OmplPiece> pieces, boolean writable) {
        long[] numbers = new long[NUMBERS * pieces.size()];
        for (int i = 0; i < pieces.size(); i++) {
            OmplPiece piece = Errors.required(pieces.get(i), "piece " + i);
            long bytes = Errors.required(piece.span, "span of piece " + i).bytes;
            numbers[NUMBERS * i] = writable ? Messages.startWritable(job, piece.span, 0, bytes)
                    : Messages.start(job, piece.span, 0, bytes);
            numbers[NUMBERS * i + 1] = bytes;
            numbers[NUMBERS * i + 2] = piece.at;
        }
        return numbers;
    }

    /** The array of each; null: none has one. */
    static Object[] arrays(List<OmplPiece> pieces) {
        return pieces.stream().allMatch(piece -> piece.span.array == null) ? null
                : pieces.stream().map(piece -> piece.span.array).toArray();
    }
}
