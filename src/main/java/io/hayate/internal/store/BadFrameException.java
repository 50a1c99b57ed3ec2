// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.store;

import java.io.IOException;

/** The other side has sent what no store and no rank sends. */
final class BadFrameException extends IOException {
    private static final long serialVersionUID = 1L;

    BadFrameException(String what) {
        super(what);
    }
}
