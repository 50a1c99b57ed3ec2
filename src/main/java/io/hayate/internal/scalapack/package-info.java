// SPDX-License-Identifier: Apache-2.0
/** The memory of distributed matrices, and files of matrices. */
package io.hayate.internal.scalapack;
