// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/** The launcher's environment is wrong or incomplete. */
public final class LaunchException extends HayateException {
    private static final long serialVersionUID = 1L;

    LaunchException(String reason, int peer) {
        super(-8, reason, peer, null);
    }
}
