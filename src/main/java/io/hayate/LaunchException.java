// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * A job cannot be joined: the environment of the launcher is invalid or incomplete, the exchange of
 * a {@link Bootstrap} failed, or another rank could not join, which is then the {@link #peer()}.
 */
public final class LaunchException extends HayateException {
    private static final long serialVersionUID = 1L;

    LaunchException(String reason, int peer, Throwable cause) {
        super(-8, reason, peer, cause);
    }
}
