// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.output;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;

/** Writes a JSON value in one line: maps, iterables, strings, numbers, booleans, null. */
public final class Json {
    private static final int DECIMALS = 4;

    private final StringBuilder out = new StringBuilder();

    private Json() {
    }

    /**
     * Formats a value as JSON.
     *
     * @param value the value; other types are written as their text
     * @return one line without a line end
     */
    public static String of(Object value) {
        Json json = new Json();
        json.write(value);
        return json.out.toString();
    }

    private void write(Object value) {
        if (value instanceof Map<?, ?> map) {
            writeMap(map);
        } else if (value instanceof Iterable<?> list) {
            writeList(list);
        } else if (value instanceof Double number) {
            writeDouble(number);
        } else if (value == null || value instanceof Number || value instanceof Boolean) {
            out.append(value);
        } else {
            writeString(value.toString());
        }
    }

    private void writeMap(Map<?, ?> map) {
        String separator = "{";
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            out.append(separator);
            writeString(entry.getKey().toString());
            out.append(':');
            write(entry.getValue());
            separator = ",";
        }
        out.append(map.isEmpty() ? "{}" : "}");
    }

    private void writeList(Iterable<?> list) {
        String separator = "";
        out.append('[');
        for (Object item : list) {
            out.append(separator);
            write(item);
            separator = ",";
        }
        out.append(']');
    }

    /** JSON has no NaN and no infinity. */
    private void writeDouble(double number) {
        if (Double.isFinite(number)) {
            BigDecimal rounded = BigDecimal.valueOf(number).setScale(DECIMALS,
                    RoundingMode.HALF_UP);
            out.append(rounded.toPlainString());
        } else {
            out.append("null");
        }
    }

    private void writeString(String text) {
        out.append('"');
        text.chars().forEach(this::writeChar);
        out.append('"');
    }

    private void writeChar(int c) {
        switch (c) {
            case '"' -> out.append("\\\"");
            case '\\' -> out.append("\\\\");
            case '\n' -> out.append("\\n");
            case '\t' -> out.append("\\t");
            default -> {
                if (c < ' ' || Character.isSurrogate((char) c) || c == 0x7f) {
                    out.append(String.format("\\u%04x", c));
                } else {
                    out.append((char) c);
                }
            }
        }
    }
}
