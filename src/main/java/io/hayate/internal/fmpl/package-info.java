// SPDX-License-Identifier: Apache-2.0
/**
 * The implementation of {@code Fmpl}: messages, requests, collectives, communicators, reductions.
 */
package io.hayate.internal.fmpl;
