// SPDX-License-Identifier: Apache-2.0
/** The job of a rank, its memory, and the waits of its threads. All other packages use it. */
package io.hayate.internal.job;
