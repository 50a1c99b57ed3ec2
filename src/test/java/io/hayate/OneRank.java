// SPDX-License-Identifier: Apache-2.0
package io.hayate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.function.Executable;

/** Tests in a job of one rank, of which each has one of its own. */
@Timeout(300)
public abstract class OneRank {
    private final int count;
    protected Hayate job;
    protected Fmpl fmpl;

    protected OneRank() {
        this(Fmpl.DEFAULT_COUNT);
    }

    /** With so many entries of an Fmpl. */
    protected OneRank(int count) {
        this.count = count;
    }

    @BeforeEach
    protected final void openJob() {
        job = Hayate.init();
        fmpl = Fmpl.init(job, count);
    }

    @AfterEach
    protected final void closeJob() {
        fmpl.close();
        job.close();
    }

    /** An argument is wrong, and the reason says something. */
    protected static void refused(Executable call) {
        ArgumentException e = assertThrows(ArgumentException.class, call);
        assertTrue(e.reason().length() >= 10, e.reason());
        assertEquals(-1, e.code());
    }
}
