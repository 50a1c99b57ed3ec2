// SPDX-License-Identifier: Apache-2.0
/** When native memory is freed: objects keep it, and the garbage collector lets it go. */
package io.hayate.internal.lifetime;
