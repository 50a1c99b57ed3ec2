// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import io.hayate.internal.job.RankFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * The program of a rank that has a JVM of its own: runs one test by JUnit, and leaves its outcome
 * in a file for {@link RankProcesses}.
 */
final class RankProcess implements TestExecutionListener {
    private static volatile boolean here;
    /** What has failed on the rank, with the time before others could learn of it; or null. */
    private static volatile RankFailure failure;

    private Throwable thrown;
    private boolean ran;

    private RankProcess() {
    }

    /**
     * Runs the test.
     *
     * @param args the unique identifier of the test, and the directory of the outcomes
     */
    public static void main(String[] args) throws IOException {
        Path directory = Path.of(args[1]);
        here = true;
        takeProperties(directory);
        RankProcess listener = new RankProcess();
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectUniqueId(args[0])).build();
        LauncherFactory.create().execute(request, listener);
        listener.outcome().write(directory, Integer.parseInt(System.getenv("HAYATE_RANK")));
        System.exit(0); // threads of the test may still run
    }

    /** Takes the system properties of the JVM of the test that this one does not set itself. */
    private static void takeProperties(Path directory) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(directory.resolve(RankProcesses.PROPERTIES))) {
            properties.load(in);
        }
        properties.forEach(System.getProperties()::putIfAbsent);
    }

    /** Returns whether this JVM is that of one rank. */
    static boolean isHere() {
        return here;
    }

    /** Throws what has failed on the rank of this JVM. */
    static void check(List<RankFailure> failures) throws Throwable {
        if (!failures.isEmpty()) {
            failure = failures.get(0);
            throw failure.thrown();
        }
    }

    private RankOutcome outcome() {
        if (thrown == null && !ran) {
            thrown = new AssertionFailedError("the test was not found in the JVM of the rank");
        }
        long time = failure != null && failure.thrown() == thrown ? failure.time()
                : System.nanoTime();
        return new RankOutcome(time, thrown);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        ran |= test.isTest();
        if (thrown == null) {
            thrown = result.getThrowable().orElse(null);
        }
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        thrown = new TestAbortedException(reason);
    }
}
