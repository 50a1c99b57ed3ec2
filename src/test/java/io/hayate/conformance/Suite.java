// SPDX-License-Identifier: Apache-2.0
package io.hayate.conformance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;

/**
 * The scenarios in one configuration, each of them a test. All run in one job; if one fails or
 * hangs, the rest runs in another job.
 */
public final class Suite {
    /** Failures after which the rest is given up. */
    private static final int PATIENCE = 6;

    private final String name;
    private final int ranks;
    private final Runner runner;
    private List<String> chosen;
    private String share = "0/1";
    private Runnable condition = () -> { };
    private Map<String, Result> results;

    /** Why it failed; null: it passed. */
    private record Result(String failure) {
    }

    /** Runs {@link RankMain} on the arguments, in a job of its own, to the end. */
    public interface Runner {
        Outcome run(String... scenarios) throws Exception;
    }

    /** {@code launch} gives a job of so many ranks that runs {@link RankMain} on the arguments. */
    public Suite(String name, int ranks, Function<String[], Launch> launch) {
        this.name = name;
        this.ranks = ranks;
        runner = scenarios -> launch.apply(scenarios).ranks(ranks)
                .jvm("-D" + Share.PROPERTY + "=" + share).run();
    }

    private Suite(int ranks, Runner runner, String name) {
        this.name = name;
        this.ranks = ranks;
        this.runner = runner;
    }

    /** The same, by jobs of so many ranks that somebody else starts. */
    public static Suite by(String name, int ranks, Runner runner) {
        return new Suite(ranks, runner, name);
    }

    /** A twelfth of the cases of the largest scenarios. */
    public Suite part(int which) {
        return share(which, 12);
    }

    private Suite share(int index, int count) {
        share = index % count + "/" + count;
        return this;
    }

    /**
     * Suites that share the cases of the largest scenarios out among them: each case is run in one
     * setting.
     */
    public static List<Suite> sharing(Suite... suites) {
        for (int i = 0; i < suites.length; i++) {
            suites[i].share(i, suites.length);
        }
        return List.of(suites);
    }

    /** All tests of these suites. */
    public static Stream<DynamicTest> tests(List<Suite> suites) {
        return suites.stream().flatMap(Suite::tests);
    }

    /** These scenarios, or all of these classes, alone. */
    public Suite only(String... named) {
        chosen = Scenarios.named(named, ranks);
        return this;
    }

    /** What tells most of a network between nodes, where all of it would take minutes. */
    public Suite betweenNodes() {
        return only("MessageScenarios",
                "RequestScenarios",
                "ProbeScenarios",
                "CollectiveScenarios",
                "ReductionScenarios",
                "OmplScenarios",
                "OmplFlagScenarios",
                "AccumulateScenarios",
                "TaskScenarios",
                "PersistentScenarios.should_finish_by_tests_alone",
                "PersistentScenarios.should_go_on_after_a_reducer_threw",
                "PersistentScenarios.should_reduce_by_a_function_of_the_user");
    }

    private List<String> scenarios() {
        return chosen == null ? Scenarios.forRanks(ranks) : chosen;
    }

    /** What each test needs: aborts it, with the reason, where that is missing. */
    public Suite needing(Runnable need) {
        condition = need;
        return this;
    }

    public Stream<DynamicTest> tests() {
        return scenarios().stream()
                .map(scenario -> DynamicTest.dynamicTest(
                        name + ": " + scenario.substring(scenario.indexOf('.') + 1),
                        () -> test(scenario)));
    }

    private void test(String scenario) throws Exception {
        condition.run();
        int java = Scenarios.oldestJava(scenario);
        Assumptions.assumeTrue(Scenarios.isPossible(scenario), "needs Java " + java);
        Result result = results().get(scenario);
        if (result == null) {
            throw new AssertionError(name + ": not run, too much failed before");
        }
        if (result.failure != null) {
            throw new AssertionError(name + ": " + scenario + "\n" + result.failure);
        }
    }

    private synchronized Map<String, Result> results() throws Exception {
        if (results == null) {
            results = new LinkedHashMap<>();
            List<String> left = scenarios().stream().filter(Scenarios::isPossible)
                    .collect(Collectors.toCollection(ArrayList::new));
            for (int failures = 0; !left.isEmpty() && failures < PATIENCE; failures++) {
                run(left);
                left.removeAll(results.keySet());
            }
        }
        return results;
    }

    private void run(List<String> scenarios) throws Exception {
        Outcome outcome = runner.run(scenarios.toArray(new String[0]));
        List<Report> reports = outcome.out().stream().flatMap(line -> Report.parse(line).stream())
                .toList();
        String unfinished = scenarios.get(0);
        for (String scenario : scenarios) {
            unfinished = scenario;
            if (passedBy(scenario, reports).size() < ranks) {
                break;
            }
            results.put(scenario, new Result(null));
        }
        if (outcome.exit() != 0 || !results.containsKey(unfinished)) {
            results.put(unfinished, new Result(explain(unfinished, reports, outcome)));
        } else if (!outcome.faults().isEmpty()) {
            results.put(unfinished, new Result("some scenario of this job left "
                    + outcome.faults() + "\n" + outcome.describe()));
        }
        System.out.println(name + ": " + outcome.elapsed().toMillis() + " ms");
        reports.stream().filter(report -> report.rank() == 0).forEach(report ->
                System.out.println("  " + report.scenario() + " " + report.state() + " "
                        + report.text().lines().findFirst().orElse("")));
    }

    private static Set<Integer> passedBy(String scenario, List<Report> reports) {
        Set<Integer> ranks = new TreeSet<>();
        for (Report report : reports) {
            if (report.scenario().equals(scenario) && report.state() == Report.State.PASSED) {
                ranks.add(report.rank());
            }
        }
        return ranks;
    }

    /** What the ranks said; what the job wrote, when it died or hung. */
    private static String explain(String scenario, List<Report> reports, Outcome outcome) {
        StringBuilder text = new StringBuilder();
        for (Report report : reports) {
            if (report.scenario().equals(scenario) && report.state() == Report.State.FAILED) {
                text.append("rank ").append(report.rank()).append(": ").append(report.text());
            }
        }
        text.append("passed on ranks ").append(passedBy(scenario, reports)).append('\n');
        String all = outcome.describe().replaceAll("(?m)^@hayate .*\n", "");
        return text.append(all, 0, Math.min(all.length(), 30_000)).toString();
    }
}
