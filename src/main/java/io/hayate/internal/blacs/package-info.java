// SPDX-License-Identifier: Apache-2.0
/** The BLACS of the process, their grids, and sections of matrices. */
package io.hayate.internal.blacs;
