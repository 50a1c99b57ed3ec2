// SPDX-License-Identifier: Apache-2.0
package io.hayate.spark;

import java.io.Serializable;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction1;

/** The elements of a partition as they are: what {@link SparkRanks#barrier} maps them to. */
final class Unchanged<T> extends AbstractFunction1<Iterator<T>, Iterator<T>>
        implements Serializable {
    private static final long serialVersionUID = 1;

    @Override
    public Iterator<T> apply(Iterator<T> partition) {
        return partition;
    }
}
