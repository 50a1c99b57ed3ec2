// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import io.hayate.internal.Errors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@link CollOptions} as text, the same as that of the C library. */
final class OptionWords {
    private static final String AUTO = "auto";
    private static final String NONE = "none";
    private static final Pattern GAP = Pattern.compile("[\\s,]+");
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]{0,31}");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})([KMGTkmgt]?)");

    private OptionWords() {
    }

    static void requireName(String algorithm) {
        if (!NAME.matcher(algorithm).matches()) {
            throw Errors.argument("algorithm \"" + algorithm + "\": expected a name such as ring,"
                    + " of a-z, 0-9 and _");
        }
    }

    /** {@code where}: whose text it is, for the message. */
    static CollOptions parse(String text, String where) {
        CollOptions options = CollOptions.AUTO;
        Set<String> seen = new HashSet<>();
        for (String word : GAP.split(text)) {
            if (word.isEmpty()) {
                continue;
            }
            try {
                options = set(options, word, seen);
            } catch (ArgumentException wrong) {
                throw Errors.argument(where + ": " + wrong.reason());
            }
        }
        return options;
    }

    private static CollOptions set(CollOptions options, String word, Set<String> seen) {
        int equals = word.indexOf('=');
        if (equals < 0) {
            throw Errors.argument('"' + word + "\": expected key=value, as algorithm=ring");
        }
        String key = word.substring(0, equals);
        if (!seen.add(key)) {
            throw Errors.argument(key + " stands there twice, expected once");
        }
        String value = word.substring(equals + 1);
        return switch (key) {
            case "algorithm" -> options.algorithm(name(value));
            case "transfer" -> options.transfer(choice(CollOptions.Transfer.class, word, value));
            case "buffers" -> options.buffers(choice(CollOptions.Buffers.class, word, value));
            case "sync" -> options.sync(choice(CollOptions.Sync.class, word, value));
            case "segment" -> options.segment(segment(word, value));
            case "arity" -> options.arity(arity(word, value));
            case "progress" -> options.progress(choice(CollOptions.Progress.class, word, value));
            default -> throw Errors.argument('"' + key + "\" is unknown: expected one of algorithm,"
                    + " transfer, buffers, sync, segment, arity, progress");
        };
    }

    private static String name(String value) {
        if (value.isEmpty()) {
            throw Errors.argument("algorithm=: expected a name such as ring, or auto");
        }
        return value.equals(AUTO) ? "" : value;
    }

    private static <E extends Enum<E>> E choice(Class<E> type, String word, String value) {
        List<String> names = new ArrayList<>();
        for (E each : type.getEnumConstants()) {
            if (lower(each).equals(value)) {
                return each;
            }
            names.add(lower(each));
        }
        throw Errors.argument(word + ": expected one of " + String.join(", ", names));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static long segment(String word, String value) {
        if (value.equals(AUTO)) {
            return 0;
        }
        if (value.equals(NONE)) {
            return CollOptions.NO_SEGMENTS;
        }
        Matcher bytes = BYTES.matcher(value);
        if (bytes.matches()) {
            int shift = 10 * ("KMGT".indexOf(bytes.group(2).toUpperCase(Locale.ROOT)) + 1);
            long number = Long.parseLong(bytes.group(1));
            int unit = bytes.group(2).isEmpty() ? 0 : shift;
            if (number > 0 && number <= Long.MAX_VALUE >> unit) {
                return number << unit;
            }
        }
        throw Errors.argument(
                word + ": expected a size of at least 1 byte such as 32K, or none, or auto");
    }

    private static int arity(String word, String value) {
        if (value.equals(AUTO)) {
            return 0;
        }
        int arity = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 0;
        if (arity < 2 || arity > 64) {
            throw Errors.argument(word + ": expected a number from 2 to 64, or auto");
        }
        return arity;
    }

    static String text(CollOptions options) {
        List<String> words = new ArrayList<>();
        if (!options.algorithm().isEmpty()) {
            words.add("algorithm=" + options.algorithm());
        }
        for (Enum<?> each : Arrays.<Enum<?>>asList(
                options.transfer(), options.buffers(), options.sync())) {
            add(words, each);
        }
        if (options.segment() != 0) {
            boolean none = options.segment() == CollOptions.NO_SEGMENTS;
            words.add("segment=" + (none ? NONE : Long.toString(options.segment())));
        }
        if (options.arity() != 0) {
            words.add("arity=" + options.arity());
        }
        add(words, options.progress());
        return String.join(" ", words);
    }

    /** AUTO is the first of each kind. */
    private static void add(List<String> words, Enum<?> choice) {
        if (choice.ordinal() != 0) {
            String key = choice.getDeclaringClass().getSimpleName().toLowerCase(Locale.ROOT);
            words.add(key + "=" + lower(choice));
        }
    }
}
