// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples;

import io.hayate.CollOptions;
import io.hayate.Fmpl;
import io.hayate.Hayate;
import io.hayate.HeapSpan;
import java.nio.DoubleBuffer;

/**
 * A field on a cube of points that goes to and fro between space, where a rank has planes, and its
 * Fourier coefficients, where it has pencils along z. It lives in the symmetric heap in the order
 * in which it travels: lines are gathered from what came, transformed, worked on, transformed
 * again, and scattered into what goes, and each batch is on its way as soon as it is complete.
 * Calls go begin(), spectrum(), space(), spectrum(), ..., end(); they are collective and allocate
 * nothing. Coefficients are in the order of {@link Fft} and not scaled: a round trip multiplies by
 * the number of points.
 */
final class DistributedFft implements AutoCloseable {
    /** Row y of a plane begins at y * pitch(); z is counted in the slab. */
    interface PlaneWork {
        void on(double[] plane, int z);
    }

    /** The coefficients of all z, from pencil[0] on; y is counted in the slab. */
    interface PencilWork {
        void on(double[] pencil, int x, int y);
    }

    /** Rows of a power of two of bytes would fall on a few sets of the cache. */
    private static final int PADDING = 8;

    private final Slabs slabs;
    private final Fft fft;
    private final HeapSpan outgoing; // on either way
    private final HeapSpan pencilMemory;
    private final HeapSpan planeMemory;
    private final DoubleBuffer out;
    private final DoubleBuffer pencils;
    private final DoubleBuffer planes;
    private final Transposition toPencils;
    private final Transposition toPlanes;
    private final double[] plane;
    private final double[] line;

    /** Collective. */
    DistributedFft(Hayate job, Fmpl fmpl, Slabs slabs, CollOptions options,
            Stopwatch communication) {
        this.slabs = slabs;
        fft = new Fft(slabs.points());
        outgoing = job.allocate(slabs.bytes());
        pencilMemory = job.allocate(slabs.bytes());
        planeMemory = job.allocate(slabs.bytes());
        out = outgoing.doubles();
        pencils = pencilMemory.doubles();
        planes = planeMemory.doubles();
        toPencils = new Transposition(fmpl, slabs, outgoing, pencilMemory, options, communication);
        toPlanes = new Transposition(fmpl, slabs, outgoing, planeMemory, options, communication);
        plane = new double[pitch() * slabs.points()];
        line = new double[2 * slabs.points()];
    }

    int pitch() {
        return 2 * slabs.points() + PADDING;
    }

    Fft axis() {
        return fft;
    }

    String describe() {
        return toPencils.describe();
    }

    /** Takes the field from `fill`, and begins to transform it. */
    void begin(PlaneWork fill) {
        for (int z = 0; z < slabs.thickness(); z++) {
            fill.on(plane, z);
            send(z);
        }
    }

    /** Completes the transform, works on the coefficients, and begins to transform them back. */
    void spectrum(PencilWork work) {
        toPencils.finish();
        for (int x = 0; x < slabs.points(); x++) {
            for (int y = 0; y < slabs.thickness(); y++) {
                gatherPencil(x, y);
                fft.forward(line, 0);
                work.on(line, x, y);
                fft.inverse(line, 0);
                scatterPencil(x, y);
            }
            if ((x + 1) % slabs.batchWidth() == 0) {
                toPlanes.start(x / slabs.batchWidth());
            } else {
                toPlanes.progress();
            }
        }
    }

    /** Completes the transform back, works on the field, and begins to transform it. */
    void space(PlaneWork work) {
        toPlanes.finish();
        for (int z = 0; z < slabs.thickness(); z++) {
            receive(z);
            work.on(plane, z);
            send(z);
        }
    }

    /** Completes the transform back, and gives the field away. */
    void end(PlaneWork take) {
        toPlanes.finish();
        for (int z = 0; z < slabs.thickness(); z++) {
            receive(z);
            take.on(plane, z);
        }
    }

    @Override
    public void close() {
        toPencils.close();
        toPlanes.close();
        outgoing.close();
        pencilMemory.close();
        planeMemory.close();
    }

    /** Makes `plane` that of z: columns as they come, then rows. */
    private void receive(int z) {
        for (int x = 0; x < slabs.points(); x++) {
            gatherColumn(x, z);
            fft.inverse(line, 0);
            for (int y = 0; y < slabs.points(); y++) {
                plane[y * pitch() + 2 * x] = line[2 * y];
                plane[y * pitch() + 2 * x + 1] = line[2 * y + 1];
            }
        }
        for (int y = 0; y < slabs.points(); y++) {
            fft.inverse(plane, y * pitch());
        }
    }

    /** Rows, then columns as they go; the batch is on its way after its last plane. */
    private void send(int z) {
        for (int y = 0; y < slabs.points(); y++) {
            fft.forward(plane, y * pitch());
        }
        for (int x = 0; x < slabs.points(); x++) {
            for (int y = 0; y < slabs.points(); y++) {
                line[2 * y] = plane[y * pitch() + 2 * x];
                line[2 * y + 1] = plane[y * pitch() + 2 * x + 1];
            }
            fft.forward(line, 0);
            scatterColumn(x, z);
        }
        if ((z + 1) % slabs.batchPlanes() == 0) {
            toPencils.start(z / slabs.batchPlanes());
        } else {
            toPencils.progress();
        }
    }

    private void scatterColumn(int x, int z) {
        int batch = z / slabs.batchPlanes();
        int first = 2 * (z % slabs.batchPlanes());
        for (int peer = 0; peer < slabs.ranks(); peer++) {
            copy(line, 2 * peer * slabs.thickness(), out,
                    slabs.toPencils(batch, peer, x, 0) + first, slabs.batchPlanes());
        }
    }

    private void gatherPencil(int x, int y) {
        for (int peer = 0; peer < slabs.ranks(); peer++) {
            for (int batch = 0; batch < slabs.batches(); batch++) {
                int z = peer * slabs.thickness() + batch * slabs.batchPlanes();
                copy(pencils, slabs.toPencils(batch, peer, x, y), line, 2 * z,
                        slabs.batchPlanes());
            }
        }
    }

    private void scatterPencil(int x, int y) {
        for (int peer = 0; peer < slabs.ranks(); peer++) {
            copy(line, 2 * peer * slabs.thickness(), out, slabs.toPlanes(x, peer, 0) + 2 * y,
                    slabs.thickness());
        }
    }

    private void gatherColumn(int x, int z) {
        for (int peer = 0; peer < slabs.ranks(); peer++) {
            copy(planes, slabs.toPlanes(x, peer, z), line, 2 * peer * slabs.thickness(),
                    slabs.thickness());
        }
    }

    /** Complex numbers that stand together. */
    private static void copy(DoubleBuffer from, int at, double[] to, int first, int count) {
        for (int i = 0; i < 2 * count; i++) {
            to[first + i] = from.get(at + i);
        }
    }

    /** As many complex numbers as a slab is thick, to every `stride`th place. */
    private void copy(double[] from, int first, DoubleBuffer to, int at, int stride) {
        for (int i = 0; i < slabs.thickness(); i++) {
            to.put(at + 2 * i * stride, from[first + 2 * i]);
            to.put(at + 2 * i * stride + 1, from[first + 2 * i + 1]);
        }
    }
}
