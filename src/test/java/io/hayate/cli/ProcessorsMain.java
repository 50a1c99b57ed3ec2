// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/** Prints how many processors this JVM counts, and how many threads its collector has. */
public final class ProcessorsMain {
    public static void main(String... arguments) {
        String threads = ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
                .getVMOption("ParallelGCThreads").getValue();
        System.out.println("processors " + Runtime.getRuntime().availableProcessors()
                + ", collector threads " + threads);
    }
}
