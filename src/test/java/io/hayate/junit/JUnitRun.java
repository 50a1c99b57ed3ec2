// SPDX-License-Identifier: Apache-2.0
package io.hayate.junit;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** A run of one test method by JUnit inside of a test: its results, and what it prints. */
final class JUnitRun implements TestExecutionListener {
    private final List<TestExecutionResult> results = new ArrayList<>();
    private List<String> lines;

    private JUnitRun() {
    }

    static JUnitRun of(Class<?> type, String name) {
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(one -> one.getName().equals(name)).findFirst().orElseThrow();
        JUnitRun run = new JUnitRun();
        PrintStream before = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true));
        try {
            LauncherFactory.create().execute(LauncherDiscoveryRequestBuilder.request()
                    .selectors(DiscoverySelectors.selectMethod(type, method)).build(), run);
        } finally {
            System.setOut(before);
        }
        run.lines = printed.toString().lines().toList();
        return run;
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (test.isTest()) {
            results.add(result);
        }
    }

    List<Status> statuses() {
        return results.stream().map(TestExecutionResult::getStatus).toList();
    }

    List<String> lines() {
        return lines;
    }

    /** What the only test has thrown. */
    Throwable thrown() {
        if (results.size() != 1) {
            throw new AssertionError(results);
        }
        return results.get(0).getThrowable().orElseThrow(() -> new AssertionError("it passed"));
    }
}
