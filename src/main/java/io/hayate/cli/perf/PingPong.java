// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/**
 * Measures ranks 0 and 1, which answer each other from one buffer into another; other ranks do
 * nothing.
 */
final class PingPong extends Operation {
    private static final int MAI = 0;

    PingPong(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        if (rank == 0) {
            ask(turns);
        } else if (rank == 1) {
            answer(turns);
        }
        checkLines("a message");
    }

    private void ask(int turns) {
        for (int i = 0; i < turns; i++) {
            turn++;
            lines.write(out, 0, turn);
            fmpl.send(sends, 1, MAI);
            fmpl.recv(receives, 1, MAI);
            lines.read(in, 0, turn, 1);
        }
    }

    private void answer(int turns) {
        for (int i = 0; i < turns; i++) {
            turn++;
            fmpl.recv(receives, 0, MAI);
            lines.read(in, 0, turn, 1);
            lines.write(out, 0, turn);
            fmpl.send(sends, 0, MAI);
        }
    }

    @Override
    void check() {
        out.fillPattern(0, bytes, rank);
        in.fill(0, bytes, 0xee);
        if (rank == 0) {
            fmpl.send(sends, 1, MAI);
            fmpl.recv(receives, 1, MAI);
        } else if (rank == 1) {
            fmpl.recv(receives, 0, MAI);
            fmpl.send(sends, 0, MAI);
        }
        expect(rank > 1 || in.hasPattern(0, bytes, 1 - rank), "the message");
    }
}
