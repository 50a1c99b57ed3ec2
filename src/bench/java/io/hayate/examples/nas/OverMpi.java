// SPDX-License-Identifier: Apache-2.0
package io.hayate.examples.nas;

import java.util.Arrays;
import java.util.List;
import mpi.MPI;

/**
 * The NAS Parallel Benchmarks over the package mpi: {@code OverMpi IS|CG|MG|FT|SP|BT|LU OPTION...},
 * with the options of the programs of that name. The same class runs over Hayate's package mpi and
 * over Open MPI's Java binding.
 */
public final class OverMpi {
    private static final List<NasProgram.Kind> ALL =
            List.of(Is.KIND, Cg.KIND, Mg.KIND, Ft.KIND, Sp.KIND, Bt.KIND, Lu.KIND);

    private OverMpi() {
    }

    /** Runs as a rank; the exit code is that of the other programs. */
    public static void main(String[] args) {
        NasProgram.Kind kind = ALL.stream()
                .filter(each -> args.length > 0 && each.name().equals(args[0])).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("which one? such as IS"));
        MPI.Init(args);
        int code = NasProgram.run(kind, MpiLibrary::new, MPI.COMM_WORLD.getRank(),
                MPI.COMM_WORLD.getSize(), Arrays.copyOfRange(args, 1, args.length));
        MPI.Finalize();
        System.exit(code);
    }
}
