// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.errors.Errors;
import io.hayate.internal.pcoll.OptionWords;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of a persistent collective. The cost model of the machine ({@code hayate tune}) chooses
 * what is left open; an open {@code progress} means {@link Progress#CALLS}. Immutable: each method
 * that sets an option returns a new object.
 *
 * <pre>{@code
 * CollOptions ring = CollOptions.AUTO.algorithm("ring").transfer(CollOptions.Transfer.GET);
 * CollOptions same = CollOptions.parse("algorithm=ring transfer=get");
 * }</pre>
 *
 * <p>These take precedence over the options, in this order: the environment
 * ({@code HAYATE_COLL_ALLREDUCE} and the like for one collective, then {@code HAYATE_COLL}), the
 * system properties ({@code hayate.coll.allreduce}, {@code hayate.coll}), and the rules file
 * ({@code HAYATE_COLL_RULES}, else the property {@code hayate.coll.rules}). The resulting options
 * must be the same on all members, except {@code progress}.
 *
 * @param algorithm the name of the algorithm, such as {@code ring}; {@code hayate explain} lists
 *     them. Empty: open
 * @param transfer which side moves the data
 * @param buffers between which buffers the data move
 * @param sync how the ranks synchronise
 * @param segment bytes of a piece if a long message moves in pieces; {@link #NO_SEGMENTS}: in one
 *     piece; 0: open
 * @param arity children of a rank in n-ary and k-nomial trees, 2 to 64; 0: open
 * @param progress what makes progress on the operation between its start and its await
 * @param choice how what is left open is chosen
 */
public record CollOptions(String algorithm, Transfer transfer, Buffers buffers, Sync sync,
        long segment, int arity, Progress progress, Choice choice) {
    /** The value of {@link #segment()} that moves a message in one piece. */
    public static final long NO_SEGMENTS = Long.MAX_VALUE;
    /** Options that leave everything open. */
    public static final CollOptions AUTO = new CollOptions(
            "", Transfer.AUTO, Buffers.AUTO, Sync.AUTO, 0, 0, Progress.AUTO, Choice.AUTO);

    /** Which side moves the data: the sender (put) or the receiver (get). */
    public enum Transfer {
        /** Open. */
        AUTO,
        /** The rank that has the data writes them. */
        PUT,
        /** The rank that needs the data reads them. */
        GET
    }

    /** Whether data move between user buffers or through prepared buffers. */
    public enum Buffers {
        /** Open. */
        AUTO,
        /** Directly between the buffers of the program. */
        STRAIGHT,
        /** Through memory of the operation, which costs a copy and saves a wait. */
        PREPARED
    }

    /** How the ranks of an operation synchronise. */
    public enum Sync {
        /** Open. */
        AUTO,
        /** By counters between pairs of ranks. */
        COUNTERS,
        /** By barriers of all members. */
        BARRIER
    }

    /** What makes progress on an operation between its start and its await. */
    public enum Progress {
        /** Open. */
        AUTO,
        /** Calls on persistent operations only. */
        CALLER,
        /** Every call of Hayate that waits, and {@link PersistentColl#progress()}. */
        CALLS,
        /** A thread of the library, one for each {@link Fmpl}. */
        THREAD,
        /**
         * The delegatee of the node ({@link Delegation}), which runs the whole collective without
         * this process. Without a delegatee, and for a reduction that is a function of the program,
         * the same as {@link #THREAD}; {@link PersistentOperation#toString()} tells why.
         */
        DELEGATED
    }

    /** How an operation chooses what is left open. */
    public enum Choice {
        /** Open: predicted. */
        AUTO,
        /** By the cost model of the machine, without running anything. */
        PREDICTED,
        /**
         * By timing: while the operation is prepared, all members time candidates in turns, on
         * buffers of their own of the same size, and take the fastest: first the one that the model
         * puts first of each of up to six algorithms and transfers, then variants of the best. That
         * takes 10 to 50 ms, some 100 ms if ranks share cores, or some runs of each candidate if
         * these take longer; the result is kept for all operations of about this size on the
         * communicator. Functions of the program are not called. Another run of the program may
         * choose differently, so that sums of floating-point numbers may differ in their last bits.
         * Blocks of unequal length, and what a delegatee runs, are predicted.
         */
        MEASURED
    }

    /**
     * Creates options from all values.
     *
     * @param algorithm the name of the algorithm; empty: open
     * @param transfer which side moves the data
     * @param buffers between which buffers the data move
     * @param sync how the ranks synchronise
     * @param segment bytes of a piece; {@link #NO_SEGMENTS}: in one piece; 0: open
     * @param arity children of a rank in a tree, 2 to 64; 0: open
     * @param progress what makes progress between start and await
     * @param choice how what is left open is chosen
     * @throws ArgumentException if an argument is null or out of range
     */
    public CollOptions {
        Errors.required(transfer, "transfer");
        Errors.required(buffers, "buffers");
        Errors.required(sync, "sync");
        Errors.required(progress, "progress");
        Errors.required(choice, "choice");
        OptionWords.requireName(Errors.required(algorithm, "algorithm"));
        if (segment < 0) {
            throw Errors.argument("segments of " + segment + " bytes: expected 0 or more");
        }
        if (arity != 0 && (arity < 2 || arity > 64)) {
            throw Errors.argument("arity " + arity + ": expected 2 to 64, or 0");
        }
    }

    /**
     * Parses words of the form {@code key=value}, separated by blanks or commas:
     * {@code algorithm=NAME}, {@code transfer=put|get}, {@code buffers=straight|prepared},
     * {@code sync=counters|barrier}, {@code segment=BYTES} (with K, M, G, T; or {@code none}),
     * {@code arity=K}, {@code progress=caller|calls|thread|delegated},
     * {@code choice=predicted|measured}. The value {@code auto} leaves an option open, as omitting
     * it does.
     *
     * @param text the words; an empty text gives {@link #AUTO}
     * @return the options
     * @throws ArgumentException if the text is null, a word is not valid, or a key is repeated; the
     *     text says which word, and what was expected
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
            case "choice" -> choice(OptionWords.choice(Choice.class, value));
            default -> throw Errors.argument('"' + key + "\" is unknown: expected one of algorithm,"
                    + " transfer, buffers, sync, segment, arity, progress, choice");
        };
    }

    /**
     * Returns the options of system properties; the property of one collective takes precedence.
     */
    static CollOptions ofProperties(String collective) {
        return ofProperty("hayate.coll." + collective).or(ofProperty("hayate.coll"));
    }

    private static CollOptions ofProperty(String key) {
        String text = System.getProperty(key);
        return text == null ? AUTO : parse(text, "property " + key);
    }

    /**
     * Returns these options with another algorithm.
     *
     * @param name the name that {@code hayate explain} prints; empty: open
     * @return new options
     * @throws ArgumentException if it is not a name; whether the algorithm exists, and whether it
     *     fits, is checked when an operation is prepared
     */
    public CollOptions algorithm(String name) {
        return new CollOptions(name, transfer, buffers, sync, segment, arity, progress, choice);
    }

    /**
     * Returns these options with another transfer.
     *
     * @param other which side moves the data
     * @return new options
     */
    public CollOptions transfer(Transfer other) {
        return new CollOptions(algorithm, other, buffers, sync, segment, arity, progress, choice);
    }

    /**
     * Returns these options with other buffers.
     *
     * @param other between which buffers the data move
     * @return new options
     */
    public CollOptions buffers(Buffers other) {
        return new CollOptions(algorithm, transfer, other, sync, segment, arity, progress, choice);
    }

    /**
     * Returns these options with another synchronisation.
     *
     * @param other how the ranks synchronise
     * @return new options
     */
    public CollOptions sync(Sync other) {
        return new CollOptions(algorithm, transfer, buffers, other, segment, arity,
                progress, choice);
    }

    /**
     * Returns these options with segments of another length.
     *
     * @param bytes size of a piece; {@link #NO_SEGMENTS}: in one piece; 0: open
     * @return new options
     * @throws ArgumentException if bytes is negative
     */
    public CollOptions segment(long bytes) {
        return new CollOptions(algorithm, transfer, buffers, sync, bytes, arity, progress, choice);
    }

    /**
     * Returns these options with another arity.
     *
     * @param children number of children of a rank in a tree, 2 to 64; 0: open
     * @return new options
     * @throws ArgumentException if children is out of range
     */
    public CollOptions arity(int children) {
        return new CollOptions(algorithm, transfer, buffers, sync, segment, children, progress,
                choice);
    }

    /**
     * Returns these options with another progress. Members may use different ones.
     *
     * @param other what makes progress on the operation between its start and its await
     * @return new options
     */
    public CollOptions progress(Progress other) {
        return new CollOptions(algorithm, transfer, buffers, sync, segment, arity, other, choice);
    }

    /**
     * Returns these options with another way to choose.
     *
     * @param other how what is left open is chosen
     * @return new options
     */
    public CollOptions choice(Choice other) {
        return new CollOptions(algorithm, transfer, buffers, sync, segment, arity, progress,
                other);
    }

    /**
     * Fills what is open here from options of lower precedence; an algorithm and its settings go
     * together.
     */
    CollOptions or(CollOptions weaker) {
        Progress both = progress != Progress.AUTO ? progress : weaker.progress;
        Choice by = choice != Choice.AUTO ? choice : weaker.choice;
        if (!algorithm.isEmpty()) {
            return progress(both).choice(by);
        }
        return new CollOptions(weaker.algorithm,
                transfer != Transfer.AUTO ? transfer : weaker.transfer,
                buffers != Buffers.AUTO ? buffers : weaker.buffers,
                sync != Sync.AUTO ? sync : weaker.sync,
                segment != 0 ? segment : weaker.segment,
                arity != 0 ? arity : weaker.arity, both, by);
    }

    /**
     * Returns the options in the form that {@link #parse} accepts.
     *
     * @return the words of all options that are not open, separated by blanks
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
        OptionWords.add(words, choice);
        return String.join(" ", words);
    }
}
