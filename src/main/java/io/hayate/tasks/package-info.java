// SPDX-License-Identifier: Apache-2.0
/** Tasks of many ranks over one global address space, started when their inputs are there. */
package io.hayate.tasks;
