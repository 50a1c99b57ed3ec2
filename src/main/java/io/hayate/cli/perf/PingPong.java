// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.Span;

/**
 * Measures ranks 0 and 1, which answer each other from one buffer into another; other ranks do
 * nothing.
 */
final class PingPong extends Operation {
    private static final int MAI = 0;

    PingPong(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        if (rank == 0) {
            ask(fmpl, sends, receives, turns);
        } else if (rank == 1) {
            answer(fmpl, sends, receives, turns);
        }
    }

    private static void ask(Fmpl fmpl, Span sends, Span receives, int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.send(sends, 1, MAI);
            fmpl.recv(receives, 1, MAI);
        }
    }

    private static void answer(Fmpl fmpl, Span sends, Span receives, int turns) {
        for (int i = 0; i < turns; i++) {
            fmpl.recv(receives, 0, MAI);
            fmpl.send(sends, 0, MAI);
        }
    }

    @Override
    void check() {
        out.fillPattern(0, bytes, rank);
        in.fill(0, bytes, 0xee);
        run(1);
        expect(rank > 1 || in.hasPattern(0, bytes, 1 - rank), "the message");
    }
}
