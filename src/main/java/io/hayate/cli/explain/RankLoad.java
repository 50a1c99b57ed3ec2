// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a run takes of a rank.
 *
 * @param rank whose
 * @param steps it has
 * @param signals it posts
 * @param bytes it moves from or to others
 * @param tmp bytes of scratch
 * @param box bytes of a prepared buffer
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
