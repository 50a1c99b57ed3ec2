// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.fmpl;

/**
 * What is behind the public objects, for packages that are built on them and belong to Hayate. The
 * class of an {@code Fmpl} registers the way when it is initialized.
 */
public abstract class Inside {
    private static volatile Inside way;

    /** Only the class of the public objects extends it. */
    protected Inside() {
    }

    /** Called by that class. */
    public static void set(Inside only) {
        way = only;
    }

    /** Returns the state of an {@code Fmpl}. */
    public static FmplState ofFmpl(Object fmpl) {
        return way.fmpl(fmpl);
    }

    /** Returns the state of a {@code Communicator}. */
    public static CommunicatorState ofCommunicator(Object communicator) {
        return way.communicator(communicator);
    }

    /** Makes the {@code Communicator} of a state. */
    static Object communicator(Object fmpl, CommunicatorState state) {
        return way.make(fmpl, state);
    }

    protected abstract FmplState fmpl(Object fmpl);

    protected abstract CommunicatorState communicator(Object communicator);

    protected abstract Object make(Object fmpl, CommunicatorState state);
}
