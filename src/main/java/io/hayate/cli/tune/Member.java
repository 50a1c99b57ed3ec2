// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.tune;

import io.hayate.cli.CommandFailure;
import io.hayate.internal.ErrorDoor;
import io.hayate.internal.NativeLoader;
import io.hayate.internal.SetupDoor;
import io.hayate.internal.TuneDoor;

/** This process as a rank of a job that measures. */
public final class Member implements AutoCloseable {
    private static final int FMPL_ENTRIES = 1;

    private final long job;
    private final long fmpl;

    /** Joins the job of the environment. Collective. */
    public Member() {
        NativeLoader.load();
        job = checked(SetupDoor.jobOpen());
        fmpl = checked(SetupDoor.fmplOpen(job, 0, 0, FMPL_ENTRIES));
    }

    static long checked(long result) {
        if (result < 0) {
            throw new CommandFailure(ErrorDoor.text());
        }
        return result;
    }

    /**
     * Its number.
     *
     * @return from 0
     */
    public int rank() {
        return SetupDoor.jobRank(job);
    }

    /**
     * The job's size.
     *
     * @return ranks
     */
    public int size() {
        return SetupDoor.jobSize(job);
    }

    /**
     * What they run on.
     *
     * @return CPUs that all ranks share
     */
    public int cpus() {
        return TuneDoor.tuneCpus(fmpl);
    }

    /**
     * By what it chooses.
     *
     * @return true: measured terms; false: the defaults
     */
    public boolean isTuned() {
        return TuneDoor.tuneMeasured(fmpl) != 0;
    }

    long fmpl() {
        return fmpl;
    }

    @Override
    public void close() {
        SetupDoor.fmplClose(fmpl);
        SetupDoor.fmplFree(fmpl);
        SetupDoor.jobClose(job);
        SetupDoor.jobFree(job);
    }
}
