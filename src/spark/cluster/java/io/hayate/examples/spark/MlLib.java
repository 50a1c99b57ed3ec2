// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.spark;

import java.util.Arrays;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.ml.linalg.SQLDataTypes;
import org.apache.spark.mllib.clustering.KMeansModel;
import org.apache.spark.mllib.linalg.Vector;
import org.apache.spark.mllib.linalg.Vectors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The same results by MLlib, which sums by {@code treeAggregate}, with which to compare. */
final class MlLib {
    private MlLib() {
    }

    /** Rows as {@link LogisticRegression#train} takes them, as MLlib does. */
    static Dataset<Row> dataset(JavaRDD<double[]> rows) {
        StructType type = DataTypes.createStructType(List.of(
                DataTypes.createStructField("label", DataTypes.DoubleType, false),
                new StructField("features", SQLDataTypes.VectorType(), false,
                        org.apache.spark.sql.types.Metadata.empty())));
        return SparkSession.builder().getOrCreate().createDataFrame(
                rows.map(row -> RowFactory.create(row[0], org.apache.spark.ml.linalg.Vectors.dense(
                        Arrays.copyOfRange(row, 1, row.length)))), type);
    }

    static LogisticRegressionModel train(Dataset<Row> rows, double regularisation, int iterations,
            double tolerance) {
        return new org.apache.spark.ml.classification.LogisticRegression()
                .setStandardization(false).setRegParam(regularisation).setMaxIter(iterations)
                .setTol(tolerance).fit(rows);
    }

    /** Coefficients and intercept. */
    static double[] coefficients(LogisticRegressionModel model) {
        double[] coefficients = model.coefficients().toArray();
        double[] all = Arrays.copyOf(coefficients, coefficients.length + 1);
        all[coefficients.length] = model.intercept();
        return all;
    }

    static double[][] cluster(JavaRDD<double[]> points, double[][] start, int rounds) {
        JavaRDD<Vector> vectors = points.map(Vectors::dense).cache();
        Vector[] centres = Arrays.stream(start).map(Vectors::dense).toArray(Vector[]::new);
        KMeansModel found = new org.apache.spark.mllib.clustering.KMeans().setK(start.length)
                .setInitialModel(new KMeansModel(centres)).setMaxIterations(rounds).setEpsilon(0)
                .run(vectors.rdd());
        vectors.unpersist();
        return Arrays.stream(found.clusterCenters()).map(Vector::toArray)
                .toArray(double[][]::new);
    }
}
