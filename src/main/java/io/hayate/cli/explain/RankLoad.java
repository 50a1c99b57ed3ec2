// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The load of a run on a rank.
 *
 * @param rank the rank
 * @param steps number of its steps
 * @param signals number of signals that it posts
 * @param bytes bytes that it moves from or to other ranks
 * @param tmp bytes of scratch memory
 * @param box bytes of its prepared buffer
 */
public record RankLoad(int rank, long steps, long signals, long bytes, long tmp, long box) {
    static RankLoad of(Fields f) {
        return new RankLoad(f.count(), f.number(), f.number(), f.number(), f.number(),
                f.number());
    }

    Map<String, Object> json() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("rank", rank);
        map.put("steps", steps);
        map.put("signals", signals);
        map.put("bytes_moved", bytes);
        map.put("tmp", tmp);
        map.put("box", box);
        return map;
    }
}
