// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

/** A message to or from the null partner: complete, with 0 bytes. */
public final class NoMessage extends Operation {
    private final FmplContext context;

    public NoMessage(FmplContext context) {
        this.context = context;
        begun();
    }

    @Override
    protected FmplContext context() {
        return context;
    }

    @Override
    protected boolean isActive() {
        return false;
    }

    @Override
    protected void advance() {
        // it is complete
    }

    @Override
    protected long result() {
        return 0;
    }

    @Override
    protected boolean withdraw() {
        return false;
    }

    @Override
    protected void requireCancellable() {
        // a cancel comes too late
    }

    @Override
    protected String name() {
        return null;
    }

    @Override
    public long received() {
        return 0;
    }

    /** Describes the operation. */
    @Override
    public String toString() {
        return "message to or from nobody";
    }
}
