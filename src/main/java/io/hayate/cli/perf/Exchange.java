// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Fmpl;
import io.hayate.Hayate;

/**
 * Measures ranks 0 and 1, which answer each other with data that change: each side writes every
 * cache line of its message before it sends, and reads every cache line of what it receives. So the
 * caches are in the state that a program finds them in, wherever the data have been.
 */
final class Exchange extends Operation {
    private static final int MAI = 0;
    private static final int LINE = 64;

    private long turn;

    Exchange(Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(job, fmpl, in, out);
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            turn++;
            if (rank == 0) {
                write();
                fmpl.send(sends, 1, MAI);
                fmpl.recv(receives, 1, MAI);
                read();
            } else if (rank == 1) {
                fmpl.recv(receives, 0, MAI);
                read();
                write();
                fmpl.send(sends, 0, MAI);
            }
        }
    }

    private void write() {
        for (int at = 0; at + Double.BYTES <= bytes; at += LINE) {
            out.putDouble(at / Double.BYTES, turn + at);
        }
    }

    private void read() {
        double wrong = 0;
        for (int at = 0; at + Double.BYTES <= bytes; at += LINE) {
            wrong += Math.abs(in.getDouble(at / Double.BYTES) - turn - at);
        }
        expect(wrong == 0, "the exchange");
    }

    @Override
    void check() {
        run(1);
    }
}
