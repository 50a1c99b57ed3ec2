// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.job.VirtualThreads;
import io.hayate.internal.tagged.Tags;
import java.lang.ref.Reference;

/**
 * Messages between ranks of the job that are about to create a communicator, and have none in
 * common. They never meet those of the program. Ranks are those of the job.
 */
final class SetupMessages {
    /** The highest bit of tags of duplications, which no other ones have. */
    private static final int DUPLICATION = 1 << 30;

    private final Tags tags;
    private final long tagged;

    /** tagged: messages between all ranks of the job that nobody else uses. */
    SetupMessages(Tags tags, long tagged) {
        this.tags = tags;
        this.tagged = tagged;
    }

    /** For the members of a group that pass a tag. */
    static int tagOfGroup(int tag) {
        return 2 * tag & DUPLICATION - 1;
    }

    /** For leaders of groups that pass a tag. */
    static int tagOfLeaders(int tag) {
        return 2 * tag + 1 & DUPLICATION - 1;
    }

    /** For a duplication of a communicator: a hash, so that two under way have different ones. */
    static int tagOfDuplication(long communicator, int number) {
        long spread = (communicator * 31 + number) * 0x9E3779B97F4A7C15L;
        return (int) (spread >>> 34) | DUPLICATION;
    }

    void send(byte[] bytes, int world, int tag) {
        VirtualThreads.await(() -> Errors.check(TaggedBinding.send(tagged, bytes,
                Payload.startOf(bytes), bytes.length, world, tag, TaggedBinding.STANDARD)));
        Reference.reachabilityFence(tags);
    }

    byte[] receive(int world, int tag) {
        return await(expect(world, tag));
    }

    /** Both send, and both receive. */
    byte[] exchange(byte[] bytes, int world, int tag) {
        long request = expect(world, tag);
        send(bytes, world, tag);
        return await(request);
    }

    private long expect(int world, int tag) {
        return Errors.check(TaggedBinding.irecvNew(tagged, world, tag));
    }

    private byte[] await(long request) {
        byte[][] message = {null};
        VirtualThreads.await(() -> {
            long[] found = new long[3];
            message[0] = TaggedBinding.awaitNew(tags.handle(), request, false, found);
            return Outcome.isComplete(found[2]) ? 0 : Errors.check(found[2]);
        });
        Reference.reachabilityFence(tags);
        return message[0];
    }
}
