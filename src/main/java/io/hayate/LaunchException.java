// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The environment of the launcher is invalid or incomplete. */
public final class LaunchException extends HayateException {
    private static final long serialVersionUID = 1L;

    LaunchException(String reason, int peer) {
        super(-8, reason, peer, null);
    }
}
