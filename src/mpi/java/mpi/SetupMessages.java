// SPDX-License-Identifier: Apache-2.0
package mpi;

import io.hayate.internal.bindings.TaggedBinding;
import io.hayate.internal.errors.Errors;
import io.hayate.internal.errors.Outcome;
import io.hayate.internal.tagged.Tags;
import java.lang.ref.Reference;

/**
 * Messages between ranks of the job that are about to create a communicator, and have none in
 * common. They never meet those of the program. Ranks are those of the job.
 */
final class SetupMessages {
    private final Tags tags;
    private final long tagged;

    /** tagged: messages between all ranks of the job that nobody else uses. */
    SetupMessages(Tags tags, long tagged) {
        this.tags = tags;
        this.tagged = tagged;
    }

    void send(byte[] bytes, int world, int tag) {
        Errors.check(TaggedBinding.send(tagged, bytes, Payload.startOf(bytes), bytes.length, world,
                tag, TaggedBinding.STANDARD));
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
        long[] found = new long[3];
        byte[] message = TaggedBinding.awaitNew(tags.handle(), request, false, found);
        if (!Outcome.isComplete(found[2])) {
            Errors.check(found[2]);
        }
        Reference.reachabilityFence(tags);
        return message;
    }
}
