// SPDX-License-Identifier: Apache-2.0
/** A rank's job, its memory, and how its threads wait. Everything else is built on it. */
package io.hayate.internal.job;
