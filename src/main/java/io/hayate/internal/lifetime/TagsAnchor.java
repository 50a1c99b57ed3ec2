// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.lifetime;

import io.hayate.internal.bindings.TaggedBinding;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps the native state of messages with tags, and the FMPL below it, until no thread can use it
 * any more. It also keeps the memory of requests that were never completed.
 */
public final class TagsAnchor extends Anchor {
    private final Set<Object> kept;

    /** Creates the anchor for messages with tags of an FMPL. */
    public TagsAnchor(FmplAnchor fmpl) {
        this(fmpl, ConcurrentHashMap.newKeySet());
    }

    private TagsAnchor(FmplAnchor fmpl, Set<Object> kept) {
        super(TagsAnchor::free, fmpl, kept);
        this.kept = kept;
    }

    private static void free(long tags) {
        TaggedBinding.close(tags);
        TaggedBinding.free(tags);
    }

    public long tags() {
        return handle();
    }

    /** Returns the other objects that it keeps. None of them may refer to this anchor. */
    public Set<Object> kept() {
        return kept;
    }
}
