// SPDX-License-Identifier: Apache-2.0
/** What is behind an {@code Fmpl}: messages, requests, collectives, communicators, reductions. */
package io.hayate.internal.fmpl;
