// SPDX-License-Identifier: Apache-2.0
/** The implementation of persistent collectives, on top of an FMPL. */
package io.hayate.internal.pcoll;
