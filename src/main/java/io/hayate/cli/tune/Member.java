// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.command.CommandFailure;
import io.hayate.internal.bindings.MeasureBinding;
import io.hayate.internal.bindings.SetupBinding;
import io.hayate.internal.errors.ErrorBinding;
import io.hayate.internal.natives.ToolsLibrary;

/** This process as a rank of a job that measures. */
public final class Member implements AutoCloseable {
    private static final int FMPL_ENTRIES = 1;

    private final long job;
    private final long fmpl;

    /** Joins the job that the environment describes. Collective. */
    public Member() {
        ToolsLibrary.load();
        job = checked(SetupBinding.jobOpen());
        fmpl = checked(SetupBinding.fmplOpen(job, 0, 0, FMPL_ENTRIES));
    }

    static long checked(long result) {
        if (result < 0) {
            throw new CommandFailure(ErrorBinding.text());
        }
        return result;
    }

    /**
     * Returns the number of this rank.
     *
     * @return the number, from 0
     */
    public int rank() {
        return SetupBinding.jobRank(job);
    }

    /**
     * Returns the size of the job.
     *
     * @return the number of ranks
     */
    public int size() {
        return SetupBinding.jobSize(job);
    }

    /**
     * Returns the number of CPUs that all ranks share.
     *
     * @return the number
     */
    public int cpus() {
        return MeasureBinding.measureCpus(fmpl);
    }

    long fmpl() {
        return fmpl;
    }

    @Override
    public void close() {
        SetupBinding.fmplClose(fmpl);
        SetupBinding.fmplFree(fmpl);
        SetupBinding.jobClose(job);
        SetupBinding.jobFree(job);
    }
}
