// SPDX-License-Identifier: Apache-2.0
package io.hayate.internal.job;

/** Something that operates on memory of a job's heap: it is asked before memory is given back. */
public interface MemoryUser {
    /** Whether an operation that is under way uses some of this range of addresses. */
    boolean uses(long start, long bytes);
}
