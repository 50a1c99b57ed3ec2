// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.Communicator;
import io.hayate.Fmpl;
import io.hayate.Hayate;

/** Measures the exchange of a block between each two ranks; bytes are those of a block. */
final class AllToAll extends Operation {
    private final Communicator world;

    AllToAll(Plan plan, Hayate job, Fmpl fmpl, Memory in, Memory out) {
        super(plan, job, fmpl, in, out);
        world = fmpl.world();
    }

    @Override
    void size(int bytes) {
        super.size(bytes);
        receives = in.span(0, bytes * size);
        sends = out.span(0, bytes * size);
    }

    private void write() {
        for (int peer = 0; peer < size; peer++) {
            lines.write(out, peer * bytes, turn);
        }
    }

    private void read(Memory memory) {
        for (int peer = 0; peer < size; peer++) {
            lines.read(memory, peer * bytes, turn, 1);
        }
    }

    @Override
    void run(int turns) {
        for (int i = 0; i < turns; i++) {
            turn++;
            write();
            world.alltoall(sends, receives);
            read(in);
        }
        checkLines("an alltoall");
    }

    @Override
    void check() {
        for (int peer = 0; peer < size; peer++) {
            out.fillPattern(peer * bytes, bytes, rank * size + peer);
        }
        world.alltoall(sends, receives);
        for (int peer = 0; peer < size; peer++) {
            expect(in.hasPattern(peer * bytes, bytes, peer * size + rank), "the alltoall");
        }
    }

    @Override
    void work(int turns) {
        for (int i = 0; i < turns; i++) {
            write();
            read(out);
        }
    }

    @Override
    void clear() {
        in.fill(0, bytes * size, 0);
        out.fill(0, bytes * size, 0);
    }
}
