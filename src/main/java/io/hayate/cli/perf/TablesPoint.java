// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.perf;

import io.hayate.internal.ErrorBinding;
import io.hayate.internal.TablesBinding;
import java.util.LinkedHashMap;
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
public record TablesPoint(Layout layout, int ranks, String form, long nodeBytes,
        long flatNodeBytes, long tableBytes, long processBytes, long flatProcessBytes,
        double nanos, double flatNanos, double findNanos, double flatFindNanos) {
    private static final String[] FORMS = {"rule", "starts", "list"};

    /** How ranks are on nodes, in the order of hy_tables_layout. */
    public enum Layout {
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
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    /**
     * Measures a job. No rank is started.
     *
     * @param layout how its ranks are on the nodes
     * @param ranks number of ranks
     * @param perNode ranks of a node
     * @param partners ranks to which the process has talked
     * @param mais entries of FMPL
     * @param seconds time for each kind of lookup
     * @return the result
     * @throws IllegalStateException if there is no memory for it, with the reason
     */
    public static TablesPoint measure(Layout layout, int ranks, int perNode, int partners,
            int mais, double seconds) {
        long[] numbers = new long[TablesBinding.NUMBERS];
        double[] times = new double[TablesBinding.TIMES];
        if (TablesBinding.tablesMeasure(layout.ordinal(), ranks, perNode, partners, mais, seconds,
                numbers, times) != 0) {
            throw new IllegalStateException(ErrorBinding.text());
        }
        return new TablesPoint(layout, ranks, FORMS[(int) numbers[0]], numbers[1], numbers[2],
                numbers[3], numbers[4], numbers[5], times[0], times[1], times[2], times[3]);
    }

    /**
     * Returns the values for a JSON object.
     *
     * @return names and values in their order
     */
    public Map<String, Object> json() {
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
