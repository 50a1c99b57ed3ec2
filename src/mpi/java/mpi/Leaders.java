// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.Communicator;
import io.hayate.HayateException;
import io.hayate.Span;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * How two groups meet of which only the leaders know each other: collectives within each group, and
 * messages between the leaders. What fails at a leader fails at all members of its group.
 */
final class Leaders {
    private final Engine engine;
    private final Communicator local;
    private final int leader;
    private final int tag;
    /** Of the leader: the rank of the job that the other leader is. */
    private int other;

    /** leader: the number of this group's in its communicator. */
    Leaders(Engine engine, Communicator local, int leader, int tag) {
        this.engine = engine;
        this.local = local;
        this.leader = leader;
        this.tag = tag;
    }

    private boolean isLeader() {
        return local.rank() == leader;
    }

    /**
     * Returns the members of the other group; findOther returns the rank of the job that its leader
     * is, and is only called at the leader.
     */
    Members meet(Members own, Supplier<Integer> findOther) {
        byte[] list = fromLeader(() -> {
            other = findOther.get();
            return engine.setup.exchange(bytes(own.worlds()), other, tag);
        });
        int[] worlds = new int[list.length / Integer.BYTES];
        ByteBuffer.wrap(list).asIntBuffer().get(worlds);
        return new Members(worlds);
    }

    private static byte[] bytes(int[] values) {
        byte[] bytes = new byte[values.length * Integer.BYTES];
        ByteBuffer.wrap(bytes).asIntBuffer().put(values);
        return bytes;
    }

    /** An exchange of all members; first: whether those of this group have the first numbers. */
    Meeting.Exchange exchange(boolean first) {
        return mine -> {
            byte[] own = new byte[isLeader() ? local.size() * mine.length : 0];
            local.gather(Span.of(mine), Span.of(isLeader() ? own : new byte[mine.length]), leader);
            return fromLeader(() -> {
                byte[] theirs = engine.setup.exchange(own, other, tag);
                return first ? join(own, theirs) : join(theirs, own);
            });
        };
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] all = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, all, first.length, second.length);
        return all;
    }

    /** Returns what the leader finds, or throws as it does. */
    private byte[] fromLeader(Supplier<byte[]> find) {
        RuntimeException failure = null;
        byte[] found = {};
        int[] length = {-1};
        if (isLeader()) {
            try {
                found = find.get();
                length[0] = found.length;
            } catch (MPIException | HayateException e) {
                failure = e;
            }
        }
        local.bcast(Span.of(length), leader);
        if (length[0] < 0) {
            throw failure != null ? failure : new MPIException(ErrorClass.OTHER, "the leader of"
                    + " this group could not meet the other group: see the error of that rank");
        }
        byte[] result = isLeader() ? found : new byte[length[0]];
        local.bcast(Span.of(result), leader);
        return result;
    }
}
