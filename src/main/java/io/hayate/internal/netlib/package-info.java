// SPDX-License-Identifier: Apache-2.0
/** libscalapack over Hayate's BLACS, and the calls of its routines. */
package io.hayate.internal.netlib;
