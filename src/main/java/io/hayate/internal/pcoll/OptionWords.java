// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.pcoll;

import io.hayate.ArgumentException;
import io.hayate.internal.errors.Errors;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Options as text in words {@code key=value}, with the syntax of the C library. */
public final class OptionWords {
    private static final String AUTO = "auto";
    private static final String NONE = "none";
    /** The value of "segment" for one piece. */
    private static final long WHOLE = Long.MAX_VALUE;
    private static final Pattern GAP = Pattern.compile("[\\s,]+");
    private static final Pattern NAME = Pattern.compile("[a-z0-9_]{0,31}");
    private static final Pattern BYTES = Pattern.compile("(\\d{1,18})([KMGTkmgt]?)");

    private OptionWords() {
    }

    /** Takes a word that was split into key and value. */
    public interface Setter {
        /** @throws ArgumentException if the key or the value is wrong */
        void set(String key, String value);
    }

    public static void requireName(String algorithm) {
        if (!NAME.matcher(algorithm).matches()) {
            throw Errors.argument("algorithm \"" + algorithm + "\": expected a name such as ring,"
                    + " of a-z, 0-9 and _");
        }
    }

    /**
     * Passes every word of a text to the setter. {@code where}: the source of the text, for the
     * message.
     */
    public static void parse(String text, String where, Setter setter) {
        Set<String> seen = new HashSet<>();
        for (String word : GAP.split(text)) {
            if (word.isEmpty()) {
                continue;
            }
            try {
                set(word, seen, setter);
            } catch (ArgumentException wrong) {
                throw Errors.argument(where + ": " + wrong.reason());
            }
        }
    }

    private static void set(String word, Set<String> seen, Setter setter) {
        int equals = word.indexOf('=');
        if (equals < 0) {
            throw Errors.argument('"' + word + "\": expected key=value, such as algorithm=ring");
        }
        String key = word.substring(0, equals);
        if (!seen.add(key)) {
            throw Errors.argument(key + " is given twice, expected once");
        }
        setter.set(key, word.substring(equals + 1));
    }

    /** Parses the value of "algorithm"; empty: open. */
    public static String algorithm(String value) {
        if (value.isEmpty()) {
            throw Errors.argument("algorithm=: expected a name such as ring, or auto");
        }
        return value.equals(AUTO) ? "" : value;
    }

    /** Parses the value of a key that selects a constant of a type, in lower case. */
    public static <E extends Enum<E>> E choice(Class<E> type, String value) {
        List<String> names = new ArrayList<>();
        for (E each : type.getEnumConstants()) {
            if (lower(each).equals(value)) {
                return each;
            }
            names.add(lower(each));
        }
        throw Errors.argument(
                key(type) + "=" + value + ": expected one of " + String.join(", ", names));
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Parses the value of "segment", in bytes; 0: open. */
    public static long segment(String value) {
        if (value.equals(AUTO)) {
            return 0;
        }
        if (value.equals(NONE)) {
            return WHOLE;
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
        throw Errors.argument("segment=" + value
                + ": expected a size of at least 1 byte such as 32K, or none, or auto");
    }

    /** Parses the value of "arity"; 0: open. */
    public static int arity(String value) {
        if (value.equals(AUTO)) {
            return 0;
        }
        int arity = value.matches("\\d{1,4}") ? Integer.parseInt(value) : 0;
        if (arity < 2 || arity > 64) {
            throw Errors.argument("arity=" + value + ": expected a number from 2 to 64, or auto");
        }
        return arity;
    }

    private static String key(Class<?> type) {
        return type.getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** Writes a value, unless it is empty. */
    public static void add(List<String> words, String key, String value) {
        if (!value.isEmpty()) {
            words.add(key + "=" + value);
        }
    }

    /** Writes a choice, unless it is the first constant of its type, which means open. */
    public static void add(List<String> words, Enum<?> choice) {
        if (choice.ordinal() != 0) {
            add(words, key(choice.getDeclaringClass()), lower(choice));
        }
    }

    /** Writes a number of bytes, unless it is 0. */
    public static void addSegment(List<String> words, long bytes) {
        if (bytes != 0) {
            add(words, "segment", bytes == WHOLE ? NONE : Long.toString(bytes));
        }
    }
}
