// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Numbers of bytes: "8,128,2K", or "8:1M" for 8, 16, 32 ... 1M. */
public final class Sizes implements ITypeConverter<Sizes> {
    /** The largest one. */
    public static final long MOST = 1L << 30;

    private static final String UNITS = "KMG";
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,10})([KMG]?)(?::([^:]+))?");

    private final List<Integer> bytes = new ArrayList<>();

    /** Used by picocli. */
    public Sizes() {
        // convert() makes others
    }

    /**
     * Reads sizes.
     *
     * @param text in the syntax of the options
     * @return the sizes in their order
     */
    public static Sizes of(String text) {
        Sizes sizes = new Sizes();
        for (String part : text.split(",", -1)) {
            Matcher matcher = matcher(part);
            long last = matcher.group(3) == null ? bytes(matcher)
                    : bytes(matcher(matcher.group(3)));
            long at = bytes(matcher);
            if (last < at || last > MOST || at == 0 && last > 0) {
                throw unknown(part);
            }
            for (sizes.bytes.add((int) at); at > 0 && 2 * at <= last; at *= 2) {
                sizes.bytes.add((int) (2 * at));
            }
        }
        return sizes;
    }

    private static Matcher matcher(String text) {
        Matcher matcher = SIZE.matcher(text.toUpperCase(java.util.Locale.ROOT));
        if (!matcher.matches()) {
            throw unknown(text);
        }
        return matcher;
    }

    private static long bytes(Matcher matcher) {
        String unit = matcher.group(2);
        return Long.parseLong(matcher.group(1))
                << (unit.isEmpty() ? 0 : 10 * (1 + UNITS.indexOf(unit)));
    }

    private static TypeConversionException unknown(String text) {
        return new TypeConversionException("'" + text
                + "': expected a number of bytes up to 1G, such as 8, 4K or 8:1M");
    }

    @Override
    public Sizes convert(String text) {
        return of(text);
    }

    /** Returns the sizes in their order. */
    public List<Integer> bytes() {
        return bytes;
    }

    /**
     * Formats a size, as "64K" where that is exact.
     *
     * @param bytes the size
     * @return a text in the syntax of the options
     */
    public static String text(long bytes) {
        for (int unit = UNITS.length(); unit > 0; unit--) {
            if (bytes != 0 && bytes % (1L << 10 * unit) == 0) {
                return (bytes >> 10 * unit) + UNITS.substring(unit - 1, unit);
            }
        }
        return Long.toString(bytes);
    }
}
