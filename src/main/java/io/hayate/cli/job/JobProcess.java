// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.job;

import io.hayate.cli.command.CommandFailure;
import java.util.List;
import java.util.function.Predicate;

/**
 * Finds a process of a job by that of a program which has started it: of {@code java -jar} with the
 * command line, whose child is the launcher, or of a shell.
 */
public final class JobProcess {
    private JobProcess() {
    }

    /** Returns the process itself if it is of a job, or if there is none below it. */
    public static long of(long pid, Predicate<Long> isOfJob) {
        List<Long> found = nearest(pid, isOfJob);
        if (found.size() > 1) {
            throw new CommandFailure("several processes below process " + pid + " are in a Hayate"
                    + " job: give one of " + found);
        }
        return found.isEmpty() ? pid : found.get(0);
    }

    private static List<Long> nearest(long pid, Predicate<Long> isOfJob) {
        if (isOfJob.test(pid)) {
            return List.of(pid);
        }
        return ProcessHandle.of(pid).stream().flatMap(ProcessHandle::children)
                .flatMap(child -> nearest(child.pid(), isOfJob).stream()).sorted().toList();
    }
}
