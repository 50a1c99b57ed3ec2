// SPDX-License-Identifier: Apache-2.0
package io.hayate;

/**
 * The native library could not be loaded. The reason lists every place that was tried, why the
 * attempt failed there, and what to do.
 */
public final class NativeLoadException extends UnsupportedException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception; only Hayate uses this constructor.
     *
     * @param reason what was tried, and what to do
     * @param cause the last failure, or {@code null}
     */
    public NativeLoadException(String reason, Throwable cause) {
        super(reason, -1, cause);
    }
}
