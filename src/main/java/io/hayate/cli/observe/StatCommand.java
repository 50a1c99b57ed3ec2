// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.observe;

import io.hayate.cli.command.CheckedCommand;
import io.hayate.cli.command.Version;
import io.hayate.cli.job.JobCounters;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hayate stat}: shows live counters of a running job. */
@Command(name = "stat",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Shows what the ranks of one of your running jobs have sent, received and"
                + " done, without disturbing the job.",
            "If the node has a delegatee, the last line shows what it has done.",
            "Prints once, or with --watch again and again until the ranks of this node have ended,"
                    + " then with rates.",
            "With --waits, shows instead for whom and for what each thread waits, and which ranks"
                    + " wait for each other."},
        footerHeading = "%nExamples:%n",
        footer = {"  hayate stat 4711", "  hayate stat 4711 --waits",
            "  hayate stat $(pgrep -n hayate-run) --watch",
            "  hayate stat 4711 --interval 0.5 --count 10 --json"})
public final class StatCommand extends CheckedCommand {
    private static final double MILLIS = 1000;
    private static final double NANOS = 1e9;
    private static final double LONGEST = 86_400;

    @Parameters(paramLabel = "PID", description = "Process id of a rank that has joined, of"
            + " hayate run, of a delegatee, or of a program that has started one of them.")
    private int pid;

    @Option(names = {"--interval", "--watch"}, paramLabel = "SECONDS", arity = "0..1",
            fallbackValue = "1", description = "Print again every SECONDS, such"
                    + " as 0.5 (default 1).")
    private Double interval;

    @Option(names = "--count", paramLabel = "N", description = "Number of outputs (default 1; with"
            + " --interval until the job ends).")
    private Integer count;

    @Option(names = "--waits", description = "Show what the threads of the ranks of this node wait"
            + " for, instead of counters. A deadlock is named as such.")
    private boolean waits;

    @Option(names = "--prometheus", description = "Print all counters once in the text format of"
            + " Prometheus.")
    private boolean prometheus;

    @Option(names = "--json", description = "Print one JSON object for each rank, and one for the"
            + " delegatee if there is one, each time. With --waits: one for each wait, and for each"
            + " cycle of ranks that wait for each other.")
    private boolean json;

    @Override
    public Integer call() throws InterruptedException {
        require(interval == null || interval >= 0.01 && interval <= LONGEST,
                "--interval " + interval + ": expected 0.01 to 86400 seconds");
        require(count == null || count >= 1, "--count " + count + ": expected 1 or more");
        require(!prometheus || !json && !waits && interval == null && count == null,
                "--prometheus: not together with --json, --waits, --watch, --interval or --count");
        int looks = count != null ? count : interval == null ? 1 : Integer.MAX_VALUE;
        try (JobCounters job = JobCounters.of(pid)) {
            if (prometheus) {
                out().print(StatPrometheus.text(job.names(), job.readAll()));
                out().flush();
                return 0;
            }
            watch(job, looks);
        }
        return 0;
    }

    private void watch(JobCounters job, int looks) throws InterruptedException {
        PrintWriter out = out();
        StatReport report = new StatReport(job.names());
        long begin = System.nanoTime();
        long pause = (long) ((interval == null ? 1 : interval) * MILLIS);
        for (int look = 0; look < looks; look++) {
            if (look > 0) {
                Thread.sleep(pause);
            }
            List<JobCounters.Rank> ranks = job.readAll();
            long now = System.nanoTime() - begin;
            if (waits) {
                out.print(waits(job, ranks, now));
            } else {
                out.print(report.look(ranks, now, json));
                out.print(report.delegatee(job.delegatee(), now, json));
            }
            out.flush();
            if (ranks.stream().allMatch(StatCommand::isOver)) {
                return;
            }
        }
    }

    private String waits(JobCounters job, List<JobCounters.Rank> ranks, long nanos) {
        return json ? WaitsReport.json(job.waits(), nanos / NANOS)
                : WaitsReport.text(job.waits(), ranks);
    }

    /**
     * If a whole job is killed, including its launcher, no process remains that could report it.
     */
    private static boolean isOver(JobCounters.Rank rank) {
        return rank.isOver() || rank.pid() > 0 && ProcessHandle.of(rank.pid()).isEmpty();
    }
}
