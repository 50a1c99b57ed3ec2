// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.command;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Finds the name that a misspelt word may mean, by the rule of the settings' names. */
public final class Spelling {
    private Spelling() {
    }

    /** Returns "; did you mean NAME?" for the nearest of the names, or nothing if none is near. */
    public static String hint(String word, Collection<String> names) {
        String small = word.toLowerCase(Locale.ROOT);
        int most = word.length() / 4 + 1;
        return names.stream().filter(name -> distance(small, name) <= most)
                .min(Comparator.comparingInt(name -> distance(small, name)))
                .map(name -> "; did you mean " + name + "?").orElse("");
    }

    /**
     * The number of characters to insert, delete, change or swap with the next, to turn one into
     * the other (optimal string alignment).
     */
    private static int distance(String a, String b) {
        int[][] all = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    all[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                all[i][j] = Math.min(Math.min(all[i - 1][j], all[i][j - 1]) + 1,
                        all[i - 1][j - 1] + change);
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    all[i][j] = Math.min(all[i][j], all[i - 2][j - 2] + 1);
                }
            }
        }
        return all[a.length()][b.length()];
    }
}
