// SPDX-License-Identifier: Apache-2.0
/** Spaces of the memory of all heaps, on which windows are built. */
package io.hayate.internal.windows;
