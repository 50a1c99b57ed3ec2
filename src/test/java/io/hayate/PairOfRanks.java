// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Tests in a job of two ranks that are threads: what one does while the other one looks. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class PairOfRanks {
    protected List<Hayate> jobs;
    protected final Fmpl[] fmpl = new Fmpl[2];

    @BeforeEach
    protected final void openJobs() throws Exception {
        jobs = Hayate.initThreads(2);
        FutureTask<Void> other = start(() -> fmpl[1] = Fmpl.init(jobs.get(1)));
        fmpl[0] = Fmpl.init(jobs.get(0));
        other.get(120, TimeUnit.SECONDS);
    }

    @AfterEach
    protected final void closeJobs() {
        jobs.forEach(Hayate::close);
    }

    protected static FutureTask<Void> start(Runnable call) {
        FutureTask<Void> task = new FutureTask<>(call, null);
        new Thread(task, "solver").start();
        return task;
    }
}
