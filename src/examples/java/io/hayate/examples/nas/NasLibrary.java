// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

/**
 * What the benchmarks need of a library for messages: ranks, memory, messages and collectives. The
 * one of {@link HayateLibrary} is Hayate's own interface.
 */
interface NasLibrary extends AutoCloseable {
    /** Ranks that do collectives together. */
    interface Members { }

    /** Makes a library as the command line asks; collective. */
    interface Opening {
        NasLibrary open(NasOptions options) throws UsageException;
    }

    int rank();

    int size();

    /** Memory of the kind of `--memory`, zeroed; it lasts as long as this object. */
    Doubles doubles(int count);

    Ints ints(int count);

    /** To a rank; the tag is 0, 1 or 2. Messages with one tag between two ranks come in order. */
    Transfer send(Part data, int rank, int tag);

    Transfer receive(Part room, int rank, int tag);

    Members world();

    /** Collective over all. The ranks of each of so many parts do collectives together. */
    Members split(int parts, int own);

    /** Makes data their sums over the members. */
    Action sum(Part data, Members members);

    /**
     * Block i of every rank's `from` becomes the block of that rank in `to` of rank i. The parts
     * are as many equal blocks as there are ranks; no other message has the tag.
     */
    Action allToAll(Part from, Part to, int tag);

    /**
     * Sends rank i the numbers of `outgoing` from place `sends[i]` to `sends[i + 1]`; those that it
     * sends come to `receives[i]` of `incoming` and those behind it. Collective.
     */
    void exchange(Ints outgoing, int[] sends, Ints incoming, int[] receives);

    /** All ranks' numbers in the order of ranks. Collective. */
    void gather(double[] own, double[] all);

    /** The largest of all ranks' numbers, none negative, on all ranks. Collective. */
    double maximum(double own);

    /** The sum of all ranks' numbers, on all ranks. Collective. */
    double sum(double own);

    void barrier();

    @Override
    void close();
}
