// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * How the time of a message is spent, in nanoseconds: medians over the last messages of this rank
 * since the measurement was switched on. See {@link Fmpl#breakdown()}.
 *
 * @param sendSetup time in which the sender prepares the message
 * @param sendHeader time in which the sender waits for the receiver's header
 * @param sendData time in which the sender moves the data
 * @param receiveSetup time in which the receiver prepares its buffer
 * @param receiveHeader time in which the receiver posts its header
 * @param receiveData time in which the receiver waits for the data
 * @param samples number of messages measured
 */
public record Breakdown(double sendSetup, double sendHeader, double sendData,
        double receiveSetup, double receiveHeader, double receiveData, long samples) {
}
