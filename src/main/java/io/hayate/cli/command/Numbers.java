// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.command;

import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Says in plain words that an argument is no number: picocli names the type of Java. */
public final class Numbers {
    private Numbers() {
    }

    public static void register(CommandLine line) {
        ITypeConverter<Integer> ints = of(Integer::valueOf, "whole number");
        ITypeConverter<Long> longs = of(Long::valueOf, "whole number");
        ITypeConverter<Double> doubles = of(Double::valueOf, "number");
        line.registerConverter(int.class, ints).registerConverter(Integer.class, ints)
                .registerConverter(long.class, longs).registerConverter(Long.class, longs)
                .registerConverter(double.class, doubles)
                .registerConverter(Double.class, doubles);
    }

    private static <N> ITypeConverter<N> of(Function<String, N> parse, String what) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (NumberFormatException e) {
                throw new TypeConversionException("'" + text + (text.matches("[+-]?[0-9]+")
                        ? "' is too large" : "': expected a " + what));
            }
        };
    }
}
