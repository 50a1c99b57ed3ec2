// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs inside of Apache Spark: the tasks of a barrier stage become the ranks of a job by
 * {@link io.hayate.spark.SparkRanks#join}. Spark is the program's: 3.5 or 4, for Scala 2.12 or
 * 2.13.
 */
package io.hayate.spark;
