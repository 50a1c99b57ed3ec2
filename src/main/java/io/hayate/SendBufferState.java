// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * What became of the sends that were put aside. See {@link Fmpl#checkSendBuffer()}.
 *
 * @param sent messages that have gone since the last check
 * @param waiting messages that still wait for their receives
 */
public record SendBufferState(int sent, int waiting) {
}
