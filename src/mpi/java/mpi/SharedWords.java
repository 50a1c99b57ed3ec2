// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Hayate;
import io.hayate.Ompl;
import java.util.BitSet;

/** Words of the ranks of a job which any rank adds to, such as the shared pointers of files. */
final class SharedWords implements AutoCloseable {
    /** As many can a rank have at the same time. */
    private static final int WORDS = 512;

    private final Ompl space;
    private final int self;
    private final BitSet taken = new BitSet(WORDS);

    private SharedWords(Ompl space, int self) {
        this.space = space;
        this.self = self;
    }

    /** Collective over the job. */
    static SharedWords open(Hayate job) {
        return new SharedWords(Ompl.open(job, WORDS * Long.BYTES), job.rank());
    }

    /** Returns the number of a word of this rank, which is 0. */
    synchronized int take() {
        int free = taken.nextClearBit(0);
        if (free == WORDS) {
            throw new MPIException(ErrorClass.NO_MEM, WORDS + " files are open whose rank 0 is this"
                    + " one: close some first");
        }
        taken.set(free);
        set(self, free, 0);
        return free;
    }

    synchronized void give(int word) {
        taken.clear(word);
    }

    long get(int owner, int word) {
        return space.fetch(owner, offset(word));
    }

    void set(int owner, int word, long value) {
        space.swap(owner, offset(word), value);
    }

    /** Returns the value before. */
    long add(int owner, int word, long summand) {
        return space.fetchAdd(owner, offset(word), summand);
    }

    private static long offset(int word) {
        return (long) word * Long.BYTES;
    }

    @Override
    public void close() {
        space.close();
    }
}
