// SPDX-License-Identifier: Apache-2.0
/** What is behind persistent collectives, on an FMPL. */
package io.hayate.internal.pcoll;
