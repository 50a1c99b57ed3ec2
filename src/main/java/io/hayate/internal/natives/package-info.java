// SPDX-License-Identifier: Apache-2.0
/**
 * Loads the native library and libraries of others, and keeps the files that are unpacked for it
 * in private directories.
 */
package io.hayate.internal.natives;
