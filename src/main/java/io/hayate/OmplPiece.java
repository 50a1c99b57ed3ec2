// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A piece of a vector: local memory, and where it belongs in a part of the global space.
 *
 * @param span the memory, all of it; see {@link Span#slice}
 * @param at offset in the target's part
 */
public record OmplPiece(Span span, long at) {
}
