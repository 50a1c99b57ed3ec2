// SPDX-License-Identifier: Apache-2.0
package mpi.random;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.CRC32;
import mpi.Comm;
import mpi.MPI;
import mpi.Status;

/** Every rank sends to one and receives from one at the same time: sendRecv and its replace. */
final class Shift {
    private final Place place;
    private final int tag;
    private final Element element;
    private final boolean replaces;
    /** By rank: whom it sends to, and how many elements. */
    private final int[] targets;
    private final int[] counts;
    private final Shape shape;
    private final Cell.Memory memory;
    private final boolean anySource;

    Shift(Random random, Place place, int size, int tag) {
        this.place = place;
        this.tag = tag;
        element = Seeds.oneOf(random, Element.values());
        replaces = random.nextBoolean();
        targets = new int[size];
        for (int[] part : place.parts()) {
            List<Integer> order = Arrays.stream(part).boxed().collect(Collectors.toList());
            Collections.shuffle(order, random);
            IntStream.range(0, part.length).forEach(i -> targets[part[i]] = order.get(i));
        }
        int most = Seeds.percent(random, 10) ? 100_000 : 2000;
        int same = 6 * random.nextInt(most / 6);
        counts = IntStream.range(0, size)
                .map(i -> replaces ? same : random.nextInt(most)).toArray();
        shape = replaces ? Shape.draw(random, same) : Shape.PLAIN;
        memory = Seeds.oneOf(random, Cell.Memory.values());
        anySource = random.nextBoolean();
    }

    /** Returns a digest of what has come. */
    long run(int rank, long seed) {
        int source = IntStream.range(0, targets.length).filter(i -> targets[i] == rank).findFirst()
                .getAsInt();
        Cell out = new Cell(element, shape, counts[rank], memory);
        out.fill(element.content(Seeds.mix(seed, rank), counts[rank]));
        Cell in = replaces ? out : new Cell(element, shape, counts[source], memory);
        Status status = pass(out, in, place.rankOf(targets[rank]),
                anySource ? MPI.ANY_SOURCE : place.rankOf(source));
        byte[] expected = element.content(Seeds.mix(seed, source), counts[source]);
        Trouble.unless(place.world(status.getSource()) == source && status.getTag() == tag
                && status.getCount(element.type()) == counts[source] && in.has(expected),
                "%s from %d to %d on %s: source %d, tag %d, %d elements of %s instead of %d",
                replaces ? "sendRecvReplace" : "sendRecv", source, rank, place,
                place.world(status.getSource()), status.getTag(),
                status.getCount(element.type()), element, counts[source]);
        CRC32 sum = new CRC32();
        sum.update(in.data(counts[source]));
        return sum.getValue();
    }

    private Status pass(Cell out, Cell in, int dest, int source) {
        Comm comm = place.comm;
        return replaces
                ? comm.sendRecvReplace(out.passed(), out.items(), out.type(), dest, tag, source,
                        tag)
                : comm.sendRecv(out.passed(), out.items(), out.type(), dest, tag, in.passed(),
                        in.items(), in.type(), source, tag);
    }
}
