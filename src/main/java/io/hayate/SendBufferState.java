// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * How many messages the send buffer has sent, and how many still wait. See
 * {@link Fmpl#checkSendBuffer()}.
 *
 * @param sent number of messages sent since the last check
 * @param waiting number of messages that still wait for their receives
 */
public record SendBufferState(int sent, int waiting) {
}
