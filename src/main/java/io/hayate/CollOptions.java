// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import io.hayate.internal.pcoll.OptionWords;
import java.util.ArrayList;
import java.util.List;

/**
 * How a persistent collective is done. What is left open is chosen by the model of the machine
 * ({@code hayate tune}); {@code progress} is then {@link Progress#CALLS}. Immutable: each method
 * that sets something gives another object.
 *
 * <pre>{@code
 * CollOptions.AUTO.algorithm("ring").transfer(CollOptions.Transfer.GET)
 * CollOptions.parse("algorithm=ring transfer=get")
 * }</pre>
 *
 * <p>Stronger than these are, in this order, the environment ({@code HAYATE_COLL_ALLREDUCE} and so
 * on of one collective, then {@code HAYATE_COLL}), the system properties
 * ({@code hayate.coll.allreduce}, {@code hayate.coll}), and the rules file
 * ({@code HAYATE_COLL_RULES}, else the property {@code hayate.coll.rules}). All members must end up
 * with the same, but for {@code progress}.
 *
 * @param algorithm its name, such as {@code ring}; {@code hayate explain} lists them. Empty: open
 * @param transfer who moves the data
 * @param buffers between which memory
 * @param sync how both sides know of each other
 * @param segment bytes of a piece when a long message is moved in pieces, {@link #NO_SEGMENTS}: in
 *     one; 0: open
 * @param arity children of a node in n-ary and k-nomial trees, 2 to 64; 0: open
 * @param progress who works on it between start and await
 */
public record CollOptions(String algorithm, Transfer transfer, Buffers buffers, Sync sync,
        long segment, int arity, Progress progress) {
    /** As {@link #segment()}: in one piece. */
    public static final long NO_SEGMENTS = Long.MAX_VALUE;
    /** Everything open. */
    public static final CollOptions AUTO = new CollOptions(
            "", Transfer.AUTO, Buffers.AUTO, Sync.AUTO, 0, 0, Progress.AUTO);

    /** Who moves the data. */
    public enum Transfer {
        /** Open. */
        AUTO,
        /** The one who has them. */
        PUT,
        /** The one who wants them. */
        GET
    }

    /** Between which memory the data are moved. */
    public enum Buffers {
        /** Open. */
        AUTO,
        /** Between the program's own buffers. */
        STRAIGHT,
        /** Through memory of the operation: a copy more, a wait less. */
        PREPARED
    }

    /** How both sides know of each other. */
    public enum Sync {
        /** Open. */
        AUTO,
        /** By counters, from pair to pair. */
        COUNTERS,
        /** By barriers of all. */
        BARRIER
    }

    /** Who works on an operation between its start and its await. */
    public enum Progress {
        /** Open. */
        AUTO,
        /** Calls of persistent operations only. */
        CALLER,
        /** Every call of Hayate that waits, and {@link PersistentColl#progress()}. */
        CALLS,
        /** A thread of the library, one for each {@link Fmpl}. */
        THREAD
    }

    /**
     * All at once.
     *
     * @param algorithm its name; empty: open
     * @param transfer who moves the data
     * @param buffers between which memory
     * @param sync how both sides know of each other
     * @param segment bytes of a piece, {@link #NO_SEGMENTS}, or 0: open
     * @param arity children of a node of a tree, 2 to 64; 0: open
     * @param progress who works on it between start and await
     * @throws ArgumentException if something is null or out of range
     */
    public CollOptions {
        Errors.required(transfer, "transfer");
        Errors.required(buffers, "buffers");
        Errors.required(sync, "sync");
        Errors.required(progress, "progress");
        OptionWords.requireName(Errors.required(algorithm, "algorithm"));
        if (segment < 0) {
            throw Errors.argument("segments of " + segment + " bytes: expected 0 or more");
        }
        if (arity != 0 && (arity < 2 || arity > 64)) {
            throw Errors.argument("arity " + arity + ": expected 2 to 64, or 0");
        }
    }

    /**
     * From words {@code key=value}, separated by blanks or commas: {@code algorithm=NAME},
     * {@code transfer=put|get}, {@code buffers=straight|prepared}, {@code sync=counters|barrier},
     * {@code segment=BYTES} (with K, M, G, T; or {@code none}), {@code arity=K},
     * {@code progress=caller|calls|thread}. The value {@code auto} leaves one open, as leaving it
     * out does.
     *
     * @param text the words; none at all is {@link #AUTO}
     * @return the options
     * @throws ArgumentException if the text is null, or a word is not understood or stands there
     *     twice; says which, and what was expected
     */
    public static CollOptions parse(String text) {
        return parse(Errors.required(text, "text"), "options");
    }

    private static CollOptions parse(String text, String where) {
        CollOptions[] options = {AUTO};
        OptionWords.parse(text, where,
                (key, value) -> options[0] = options[0].with(key, value));
        return options[0];
    }

    private CollOptions with(String key, String value) {
        return switch (key) {
            case "algorithm" -> algorithm(OptionWords.algorithm(value));
            case "transfer" -> transfer(OptionWords.choice(Transfer.class, value));
            case "buffers" -> buffers(OptionWords.choice(Buffers.class, value));
            case "sync" -> sync(OptionWords.choice(Sync.class, value));
            case "segment" -> segment(OptionWords.segment(value));
            case "arity" -> arity(OptionWords.arity(value));
            case "progress" -> progress(OptionWords.choice(Progress.class, value));
            default -> throw Errors.argument('"' + key + "\" is unknown: expected one of algorithm,"
                    + " transfer, buffers, sync, segment, arity, progress");
        };
    }

    /** What system properties say for a collective; that of it alone is stronger. */
    static CollOptions ofProperties(String collective) {
        return ofProperty("hayate.coll." + collective).or(ofProperty("hayate.coll"));
    }

    private static CollOptions ofProperty(String key) {
        String text = System.getProperty(key);
        return text == null ? AUTO : parse(text, "property " + key);
    }

    /**
     * With another algorithm.
     *
     * @param name as {@code hayate explain} prints it; empty: open
     * @return other options
     * @throws ArgumentException if it is no name; whether there is such an algorithm, and whether
     *     it fits, is seen when an operation is prepared
     */
    public CollOptions algorithm(String name) {
        return new CollOptions(name, transfer, buffers, sync, segment, arity, progress);
    }

    /**
     * With another transfer.
     *
     * @param other who moves the data
     * @return other options
     */
    public CollOptions transfer(Transfer other) {
        return new CollOptions(algorithm, other, buffers, sync, segment, arity, progress);
    }

    /**
     * With other buffers.
     *
     * @param other between which memory the data are moved
     * @return other options
     */
    public CollOptions buffers(Buffers other) {
        return new CollOptions(algorithm, transfer, other, sync, segment, arity, progress);
    }

    /**
     * With another synchronisation.
     *
     * @param other how both sides know of each other
     * @return other options
     */
    public CollOptions sync(Sync other) {
        return new CollOptions(algorithm, transfer, buffers, other, segment, arity, progress);
    }

    /**
     * With segments of another length.
     *
     * @param bytes of a piece, {@link #NO_SEGMENTS}: in one piece; 0: open
     * @return other options
     * @throws ArgumentException if it is negative
     */
    public CollOptions segment(long bytes) {
        return new CollOptions(algorithm, transfer, buffers, sync, bytes, arity, progress);
    }

    /**
     * With another arity.
     *
     * @param children of a node of a tree, 2 to 64; 0: open
     * @return other options
     * @throws ArgumentException if it is out of range
     */
    public CollOptions arity(int children) {
        return new CollOptions(algorithm, transfer, buffers, sync, segment, children, progress);
    }

    /**
     * With another progress. It may be another one on each member.
     *
     * @param other who works on the operation between its start and its await
     * @return other options
     */
    public CollOptions progress(Progress other) {
        return new CollOptions(algorithm, transfer, buffers, sync, segment, arity, other);
    }

    /** What is open here is taken from weaker ones; an algorithm and its settings go together. */
    CollOptions or(CollOptions weaker) {
        Progress both = progress != Progress.AUTO ? progress : weaker.progress;
        if (!algorithm.isEmpty()) {
            return progress(both);
        }
        return new CollOptions(weaker.algorithm,
                transfer != Transfer.AUTO ? transfer : weaker.transfer,
                buffers != Buffers.AUTO ? buffers : weaker.buffers,
                sync != Sync.AUTO ? sync : weaker.sync,
                segment != 0 ? segment : weaker.segment,
                arity != 0 ? arity : weaker.arity, both);
    }

    /**
     * As {@link #parse} takes it.
     *
     * @return the words of what is not open, separated by blanks
     */
    @Override
    public String toString() {
        List<String> words = new ArrayList<>();
        OptionWords.add(words, "algorithm", algorithm);
        OptionWords.add(words, transfer);
        OptionWords.add(words, buffers);
        OptionWords.add(words, sync);
        OptionWords.addSegment(words, segment);
        OptionWords.add(words, "arity", arity == 0 ? "" : Integer.toString(arity));
        OptionWords.add(words, progress);
        return String.join(" ", words);
    }
}
