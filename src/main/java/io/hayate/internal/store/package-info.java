// SPDX-License-Identifier: Apache-2.0
/**
 * The store: an {@link io.hayate.Exchange} over TCP for jobs without a launcher, whose ranks know
 * the address of rank 0, their rank, the size and a secret. Rank 0 serves, for the time of the two
 * rounds and no longer. docs/WIRE.md describes the frames.
 */
package io.hayate.internal.store;
