// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A piece of a vector put or get: local memory, and its offset in a part of the global space.
 *
 * @param span the local memory, used as a whole; see {@link Span#slice}
 * @param at offset in the part of the target, in bytes
 */
public record OmplPiece(Span span, long at) {
}
