// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

/** Reads the fields of a record of explain.h, one after the other. */
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

    /** Reads a number; -1 means none. */
    long numberOrNone() {
        String field = text();
        return field.equals(NONE) ? -1 : Long.parseLong(field);
    }

    int count() {
        return Integer.parseInt(text());
    }

    /** Reads a time in microseconds; NaN if there is none. */
    double micros() {
        String field = text();
        return field.equals(NONE) ? Double.NaN : Long.parseLong(field) / PICOS_PER_MICRO;
    }
}
