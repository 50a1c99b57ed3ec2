// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * One message taken apart, in nanoseconds: medians of the last messages of this rank since the
 * instrument was switched on. See {@link Fmpl#breakdown()}.
 *
 * @param sendSetup the sender prepares
 * @param sendHeader the sender waits for the receiver's header
 * @param sendData the sender moves the data
 * @param receiveSetup the receiver prepares
 * @param receiveHeader the receiver posts its header
 * @param receiveData the receiver waits for the data
 * @param samples how many messages
 */
public record Breakdown(double sendSetup, double sendHeader, double sendData,
        double receiveSetup, double receiveHeader, double receiveData, long samples) {
}
