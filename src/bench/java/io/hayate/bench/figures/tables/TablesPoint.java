// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.tables;

import io.hayate.Fmpl;
import io.hayate.bench.figures.Failure;
import io.hayate.bench.figures.Ranks;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * The tables of one simulated job.
 *
 * @param layout how its ranks are on the nodes
 * @param ranks number of ranks
 * @param form what describes the layout: rule, starts or list
 * @param nodeBytes what a node keeps once, to know where ranks are
 * @param flatNodeBytes the same with a record for each rank
 * @param tableBytes what a process keeps to find its partners
 * @param processBytes and what it keeps of them
 * @param flatProcessBytes what it would keep of all ranks
 * @param nanos a lookup of the node and the part of a rank
 * @param flatNanos the same in a flat table
 * @param findNanos a lookup of the lane of a partner
 * @param flatFindNanos the same in a flat table
 */
record TablesPoint(Layout layout, int ranks, String form, long nodeBytes,
        long flatNodeBytes, long tableBytes, long processBytes, long flatProcessBytes,
        double nanos, double flatNanos, double findNanos, double flatFindNanos) {
    /** Entries of FMPL. */
    static final int ENTRIES = Fmpl.DEFAULT_COUNT;

    private static final String[] FORMS = {"rule", "starts", "list"};

    /** How ranks are on nodes, in the order of hy_tables_layout. */
    enum Layout {
        /** One node after the other. */
        BLOCK,
        /** Round robin. */
        CYCLIC,
        /** Ranges of unequal lengths, by chance. */
        RANGES,
        /** Any rank on any node, by chance. */
        RANDOM;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Measures a job, by the program of src/bench/c/tables.c. No rank is started.
     *
     * @param layout how its ranks are on the nodes
     * @param ranks number of ranks
     * @param perNode ranks of a node
     * @param partners ranks to which the process has talked
     * @param seconds time for each kind of lookup
     * @return the result
     */
    static TablesPoint measure(Layout layout, int ranks, int perNode, int partners,
            double seconds) {
        String[] words = line(layout.ordinal(), ranks, perNode, partners, ENTRIES, seconds)
                .split(" ");
        long[] bytes = new long[6];
        double[] nanos = new double[4];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = Long.parseLong(words[i]);
        }
        for (int i = 0; i < nanos.length; i++) {
            nanos[i] = Double.parseDouble(words[bytes.length + i]);
        }
        return new TablesPoint(layout, ranks, FORMS[(int) bytes[0]], bytes[1], bytes[2], bytes[3],
                bytes[4], bytes[5], nanos[0], nanos[1], nanos[2], nanos[3]);
    }

    /** The line that the program prints. */
    private static String line(Object... arguments) {
        StringBuilder words = new StringBuilder(
                Ranks.built("bench-programs/tables").toString());
        for (Object argument : arguments) {
            words.append(' ').append(argument);
        }
        try {
            Process program = new ProcessBuilder(words.toString().split(" "))
                    .redirectError(ProcessBuilder.Redirect.INHERIT).start();
            try (BufferedReader reader = program.inputReader()) {
                String line = reader.readLine();
                if (Ranks.waitFor(program) != 0 || line == null) {
                    throw new Failure("the tables cannot be measured");
                }
                return line;
            }
        } catch (IOException e) {
            throw new Failure("cannot measure the tables: " + e.getMessage());
        }
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    Map<String, Object> json() {
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("impl", "hayate-java");
        line.put("bench", "tables");
        line.put("simulated", true);
        line.put("layout", layout.toString());
        line.put("ranks", ranks);
        line.put("form", form);
        line.put("node_bytes", nodeBytes);
        line.put("flat_node_bytes", flatNodeBytes);
        line.put("table_bytes", tableBytes);
        line.put("process_bytes", processBytes);
        line.put("flat_process_bytes", flatProcessBytes);
        line.put("lookup_ns", nanos);
        line.put("flat_lookup_ns", flatNanos);
        line.put("find_ns", findNanos);
        line.put("flat_find_ns", flatFindNanos);
        return line;
    }
}
