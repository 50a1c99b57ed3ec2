// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

/** A user of memory of a job's heap, which is asked before memory is freed. */
public interface MemoryUser {
    /** Returns whether an operation in progress uses part of this range of addresses. */
    boolean uses(long start, long bytes);
}
