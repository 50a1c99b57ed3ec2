// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sizes of messages: "8,128,2K", or "8:1M" for 8, 16, 32 ... 1M. */
public final class ByteSizes implements ITypeConverter<ByteSizes> {
    /** The longest message that is measured. */
    public static final long MOST = 1L << 30;
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,10})([KkMmGg]?)");

    private final List<Integer> bytes;

    /** Used by picocli. */
    public ByteSizes() {
        this(List.of());
    }

    private ByteSizes(List<Integer> bytes) {
        this.bytes = List.copyOf(bytes);
    }

    public List<Integer> bytes() {
        return bytes;
    }

    @Override
    public ByteSizes convert(String text) {
        return of(text);
    }

    public static ByteSizes of(String text) {
        return of(text, 2);
    }

    /** Parses sizes, with ranges a:b for a, factor * a, factor^2 * a .. b. */
    public static ByteSizes of(String text, int factor) {
        List<Integer> sizes = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            int colon = part.indexOf(':');
            if (colon < 0) {
                sizes.add(size(part));
            } else {
                addRange(sizes, size(part.substring(0, colon)), size(part.substring(colon + 1)),
                        part, factor);
            }
        }
        return new ByteSizes(sizes);
    }

    private static void addRange(List<Integer> sizes, int first, int last, String part,
            int factor) {
        if (first == 0 || last < first) {
            throw new TypeConversionException("'" + part + "': expected a range from a size above"
                    + " 0 to a larger size, such as 8:1M");
        }
        for (long at = first; at <= last; at *= factor) {
            sizes.add((int) at);
        }
    }

    private static int size(String text) {
        Matcher matcher = SIZE.matcher(text);
        long bytes = -1;
        if (matcher.matches()) {
            bytes = Long.parseLong(matcher.group(1)) << shift(matcher.group(2));
        }
        if (bytes < 0 || bytes > MOST) {
            throw new TypeConversionException("'" + text
                    + "': expected a number of bytes from 0 to 1G, such as 8, 4K or 1M");
        }
        return (int) bytes;
    }

    private static int shift(String unit) {
        return unit.isEmpty() ? 0 : 10 * (1 + "KMG".indexOf(Character.toUpperCase(unit.charAt(0))));
    }

    /** Formats a size as "64K" where that is exact. */
    public static String text(long bytes) {
        for (int unit = 2; unit >= 0; unit--) {
            int shift = 10 * (unit + 1);
            if (bytes != 0 && bytes % (1L << shift) == 0) {
                return (bytes >> shift) + String.valueOf("KMG".charAt(unit));
            }
        }
        return Long.toString(bytes);
    }

    /** Formats a size as "12.3 GiB". */
    public static String rounded(long bytes) {
        String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
        double value = bytes;
        int unit = 0;
        for (; value >= 1024 && unit < units.length - 1; unit++) {
            value /= 1024;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value,
                units[unit]);
    }
}
