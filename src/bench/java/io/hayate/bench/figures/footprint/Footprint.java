// SPDX-License-Identifier: Apache-2.0
package io.hayate.bench.figures.footprint;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The memory of one job while all its ranks are alive and have sent to each other.
 *
 * @param ranks number of ranks
 * @param kind kind of the ranks
 * @param bytes size of a message
 * @param total memory of the job, each address space once
 * @param base memory of the launcher and its guard without any rank
 * @param system change of the memory of the whole machine since before the job
 * @param seconds time that the rounds took
 */
public record Footprint(int ranks, Kind kind, int bytes, MemoryUse total, MemoryUse base,
        MemoryUse system, double seconds) {
    /**
     * Returns the memory that the ranks add to a launcher without ranks.
     *
     * @return total less base
     */
    public MemoryUse added() {
        return total.minus(base);
    }

    /** Returns the values for JSON. @return names and values in their order */
    public Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("impl", "hayate");
        map.put("bench", "footprint");
        map.put("ranks", ranks);
        map.put("as", kind.toString());
        map.put("bytes", bytes);
        put(map, "memory_kib", "page_tables_kib", total);
        put(map, "base_memory_kib", "base_page_tables_kib", base);
        put(map, "added_memory_kib", "added_page_tables_kib", added());
        put(map, "system_memory_kib", "system_page_tables_kib", system);
        map.put("memory_per_rank_kib", perRank(added().memory()));
        map.put("page_tables_per_rank_kib", perRank(added().pageTables()));
        map.put("rounds_s", seconds);
        return map;
    }

    private static void put(Map<String, Object> map, String memory, String pageTables,
            MemoryUse use) {
        map.put(memory, use.memory());
        map.put(pageTables, use.pageTables());
    }

    /**
     * Returns the share of one rank.
     *
     * @param kib KiB of all ranks
     * @return KiB of one rank
     */
    public double perRank(long kib) {
        return (double) kib / ranks;
    }
}
