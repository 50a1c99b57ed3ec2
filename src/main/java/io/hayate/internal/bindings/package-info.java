// SPDX-License-Identifier: Apache-2.0
/** All calls of the native library: JNI for hot calls, JNA for the others. */
package io.hayate.internal.bindings;
