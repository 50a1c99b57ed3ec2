// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.CommandFailure;
import io.hayate.internal.ErrorBinding;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.SetupBinding;
import io.hayate.internal.TuneBinding;

/** This process as a rank of a job that measures. */
public final class Member implements AutoCloseable {
    private static final int FMPL_ENTRIES = 1;

    private final long job;
    private final long fmpl;

    /** Joins the job of the environment. Collective. */
    public Member() {
        NativeLoader.load();
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
     * Its number.
     *
     * @return from 0
     */
    public int rank() {
        return SetupBinding.jobRank(job);
    }

    /**
     * The job's size.
     *
     * @return ranks
     */
    public int size() {
        return SetupBinding.jobSize(job);
    }

    /**
     * What they run on.
     *
     * @return CPUs that all ranks share
     */
    public int cpus() {
        return TuneBinding.tuneCpus(fmpl);
    }

    /**
     * By what it chooses.
     *
     * @return true: measured terms; false: the defaults
     */
    public boolean isTuned() {
        return TuneBinding.tuneMeasured(fmpl) != 0;
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
