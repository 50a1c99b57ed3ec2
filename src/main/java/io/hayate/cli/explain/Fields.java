// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

/** The fields of a record of the library's explain.h, one after the other. */
final class Fields {
    private static final String NONE = "-";
    private static final double PICOS_PER_MICRO = 1e6;

    private final String[] fields;
    private int next;

    Fields(String line) {
        fields = line.split("\t", -1);
    }

    String text() {
        return fields[next++];
    }

    long number() {
        return Long.parseLong(text());
    }

    /** -1 when there is none. */
    long numberOrNone() {
        String field = text();
        return field.equals(NONE) ? -1 : Long.parseLong(field);
    }

    int count() {
        return Integer.parseInt(text());
    }

    /** In microseconds; NaN when there is none. */
    double micros() {
        String field = text();
        return field.equals(NONE) ? Double.NaN : Long.parseLong(field) / PICOS_PER_MICRO;
    }
}
