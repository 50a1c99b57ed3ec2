// SPDX-License-Identifier: Apache-2.0
/**
 * Task graphs of many ranks over one global address space. A task starts when its inputs have
 * arrived.
 */
package io.hayate.tasks;
