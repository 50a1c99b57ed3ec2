// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import io.hayate.Hayate;
import io.hayate.HayateException;
import java.util.List;

/**
 * Opens ranks as threads where there are not enough threads: prints the exception, and whether a
 * few ranks are possible afterwards.
 */
public final class TeamMain {
    private static final int FEW = 4;

    /** The number of ranks that are too many. */
    public static void main(String[] arguments) {
        try {
            Hayate.initThreads(Integer.parseInt(arguments[0]));
            System.out.println("OPENED");
        } catch (HayateException e) {
            System.out.println("REFUSED " + e.code() + " " + e.getCause().getClass().getName()
                    + ": " + e.reason());
        }
        List<Hayate> few = Hayate.initThreads(FEW);
        System.out.println("THEN " + few.size());
        few.forEach(Hayate::close);
    }
}
