// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import io.hayate.cli.command.CheckedCommand;
import io.hayate.cli.command.Spelling;
import io.hayate.cli.command.Version;
import io.hayate.cli.output.ByteSizes;
import io.hayate.cli.output.Json;
import io.hayate.cli.output.Picture;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.TypeConversionException;

/**
 * {@code hayate explain}: shows which algorithm a collective uses, why, and the steps of its ranks.
 */
@Command(name = "explain",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        description = {"Shows the algorithms of a collective with their predicted times, the"
                + " choice and its reason, and the steps of the ranks. It needs no job.",
            "The times are simulations of the steps under the cost model that jobs use for their"
                    + " choice (hayate tune measures it): up to 512 bytes for runs in a loop, for"
                    + " more bytes for a run that all ranks begin together. A run ends when each"
                    + " rank has read its result, which may be in another core's cache. The output"
                    + " also has the time of the first run and the closed formula, which ignores"
                    + " shared CPUs.",
            "Options of this command take precedence over hints from the environment"
                    + " (HAYATE_COLL_...), system properties and the rules file."},
        sortOptions = false,
        footerHeading = "%nExamples:%n",
        footer = {
            "  hayate explain allreduce -n 12 --bytes 64K",
            "  hayate explain bcast -n 8 --bytes 64K --algorithm binomial --segment 8K --svg b.svg",
            "  hayate explain allreduce -n 64 --nodes 8 --net verbs --bytes 8",
            "  hayate explain alltoall -n 6 --bytes 1K --steps --json",
            "  hayate explain allreduce --simulate -n 1000000 --bytes 8 --plot allreduce.svg"})
public final class ExplainCommand extends CheckedCommand {
    private static final int SHOWN = 12;
    private static final int MOST_CANDIDATES = 96;
    private static final int MOST_RANKS = 1 << 24;
    private static final int MOST_ROUNDS = 1000;
    private static final long LISTED = 100_000;
    private static final List<String> COLLECTIVES = List.of("barrier", "bcast", "reduce",
            "allreduce", "gather", "scatter", "allgather", "alltoall", "reduce_scatter", "scan",
            "exscan");

    /** Refuses what is no collective before picocli asks for its options. */
    static final class CollectiveName implements ITypeConverter<String> {
        @Override
        public String convert(String text) {
            String name = text.replace('-', '_');
            if (!COLLECTIVES.contains(name)) {
                throw new TypeConversionException("'" + text + "': expected one of "
                        + String.join(", ", COLLECTIVES) + Spelling.hint(name, COLLECTIVES));
            }
            return name;
        }
    }

    /** Which side moves the data. */
    public enum Transfer {
        AUTO, PUT, GET;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Through which buffers the data move. */
    public enum Staging {
        AUTO, STRAIGHT, PREPARED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** How transfers are ordered. */
    public enum Sync {
        AUTO, COUNTERS, BARRIER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Parameters(paramLabel = "COLLECTIVE", converter = CollectiveName.class,
            description = "One of barrier, bcast, reduce, allreduce, gather, scatter, allgather,"
                    + " alltoall, reduce_scatter, scan, exscan.")
    private String collective;

    @Option(names = "-n", paramLabel = "N", required = true, description = "Number of ranks.")
    private int ranks;

    @Option(names = "--bytes", paramLabel = "SIZE", converter = ByteSizes.class,
            description = "Bytes such as 8 or 64K: size of the whole data (bcast, reduce,"
                    + " allreduce) or of the block of each rank (other collectives). Not for"
                    + " barrier.")
    private ByteSizes bytes;

    @Option(names = "--element", paramLabel = "BYTES",
            description = "Size of an element in bytes (default 8 for reductions, otherwise 1).")
    private Long element;

    @Option(names = "--root", paramLabel = "R", defaultValue = "0",
            description = "Root of the collective, if it has one (default 0).")
    private int root;

    @Option(names = "--algorithm", paramLabel = "NAME",
            description = "Consider only this algorithm, such as binomial or ring.")
    private String algorithm;

    @Option(names = "--transfer", paramLabel = "WHO", defaultValue = "auto",
            description = "Side that moves the data: put (sender) or get (receiver).")
    private Transfer transfer;

    @Option(names = "--buffers", paramLabel = "WHICH", defaultValue = "auto",
            description = "straight (from user buffer to user buffer) or prepared (through buffers"
                    + " of the operation).")
    private Staging buffers;

    @Option(names = "--sync", paramLabel = "HOW", defaultValue = "auto",
            description = "How transfers are ordered: counters or barrier.")
    private Sync sync;

    @Option(names = "--segment", paramLabel = "SIZE",
            description = "Length of segments such as 32K, or none.")
    private String segment;

    @Option(names = "--arity", paramLabel = "K", description = "Arity of n-ary and k-nomial trees,"
            + " 2 to 64.")
    private Integer arity;

    @Option(names = "--ordinary",
            description = "Explain an ordinary collective of Fmpl instead of a persistent one.")
    private boolean ordinary;

    @Option(names = "--outside", description = "Assume that the data are outside the symmetric"
            + " heap.")
    private boolean outside;

    @Option(names = "--cpus", paramLabel = "C",
            description = "Number of CPUs that the ranks of a node share (default: as many as this"
                    + " process may use; with --simulate one for each rank).")
    private Integer cpus;

    @Option(names = "--nodes", paramLabel = "M", defaultValue = "1",
            description = "Number of nodes, each with the CPUs of --cpus (default 1).")
    private int nodes;

    @Option(names = "--cyclic",
            description = "With --nodes: rank r is on node r mod M (default: successive ranks"
                    + " share a node).")
    private boolean cyclic;

    @Option(names = "--net", paramLabel = "NET", defaultValue = "tcp",
            description = "With --nodes: network between the nodes, tcp or verbs (default tcp).")
    private String net;

    @Option(names = "--rank", paramLabel = "R", description = "Rank whose steps are listed"
            + " (default 0).")
    private Integer rank;

    @Option(names = "--steps", description = "List the steps of all ranks.")
    private boolean every;

    @Option(names = "--rounds", paramLabel = "K", defaultValue = "1",
            description = "Number of successive runs that are listed, drawn or simulated (default"
                    + " 1).")
    private int rounds;

    @Option(names = "--all", description = "Show all candidates, not only the " + SHOWN
            + " fastest.")
    private boolean all;

    @Option(names = "--svg", paramLabel = "FILE",
            description = "Draw the steps of all ranks (2 to 64) over time.")
    private Path svg;

    @Option(names = "--simulate",
            description = "Compare the algorithms on N ranks, up to millions.")
    private boolean simulate;

    @Option(names = "--plot", paramLabel = "FILE",
            description = "With --simulate: draw time against processes, simulated and by formula.")
    private Path plot;

    @Option(names = "--to", paramLabel = "N",
            description = "With --plot: largest number of processes (default: -n).")
    private Integer to;

    @Option(names = "--json", description = "Print one JSON object in one line.")
    private boolean json;

    @Override
    public Integer call() {
        check();
        try (Explainer explainer = Explainer.of(question())) {
            PrintWriter out = out();
            out.print(simulate ? scales(explainer) : steps(explainer));
            out.flush();
            return 0;
        } catch (IllegalArgumentException e) {
            throw wrong(e.getMessage());
        }
    }

    // ---- the request ----

    private Question question() {
        long size = bytes == null ? 0 : bytes.bytes().get(0);
        return new Question(collective, ranks, root, size,
                element == null ? 0 : element, cpus == null ? 0 : cpus, nodes, cyclic, net,
                ordinary, outside, simulate && cpus == null, hint());
    }

    /** Returns the hint in the form of the environment variable. */
    private String hint() {
        StringBuilder hint = new StringBuilder("transfer=" + transfer + " buffers=" + buffers
                + " sync=" + sync);
        if (algorithm != null) {
            hint.append(" algorithm=").append(algorithm);
        }
        if (segment != null) {
            hint.append(" segment=").append(segment);
        }
        if (arity != null) {
            hint.append(" arity=").append(arity);
        }
        return hint.toString();
    }

    private void check() {
        requireRange("-n", ranks, 1, MOST_RANKS, " ranks");
        checkSizes();
        checkHint();
        require(cpus == null || cpus >= 1, "--cpus " + cpus + ": expected 1 or more");
        require(nodes >= 1 && nodes <= ranks, "--nodes " + nodes + ": expected 1 to " + ranks
                + ", the number of ranks");
        require(net.matches("tcp|verbs"), "--net '" + net + "': expected tcp or verbs");
        requireRange("--rounds", rounds, 1, MOST_ROUNDS);
        require(rank == null || rank >= 0 && rank < ranks, "--rank " + rank + ": expected 0 to "
                + (ranks - 1));
        require(rank == null || !every, "--rank selects one rank, --steps selects all: use only"
                + " one of them");
        checkPictures();
    }

    private void checkSizes() {
        boolean barrier = collective.equals("barrier");
        require(bytes == null || !barrier, "--bytes: a barrier has no data");
        require(bytes != null || barrier, "--bytes SIZE is missing");
        require(bytes == null || bytes.bytes().size() == 1, "--bytes: expected one size");
        require(element == null || element >= 1 && element <= Integer.MAX_VALUE, "--element "
                + element + ": expected 1 or more bytes");
    }

    private void checkHint() {
        require(algorithm == null || algorithm.matches("[a-z0-9_]{1,31}"), "--algorithm '"
                + algorithm + "': expected a name such as ring");
        require(segment == null || segment.matches("none|[0-9]{1,12}[KkMmGg]?"), "--segment '"
                + segment + "': expected a size such as 32K, or none");
        require(arity == null || arity >= 2 && arity <= 64, "--arity " + arity
                + ": expected 2 to 64");
    }

    private void checkPictures() {
        require(simulate || plot == null, "--plot needs --simulate");
        require(to == null || plot != null, "--to needs --plot");
        require(to == null || to >= 2 && to <= ranks, "--to " + to + ": expected 2 to -n");
        require(plot == null || ranks >= 2, "--plot: expected 2 or more ranks");
        require(!simulate || svg == null, "--svg draws the steps, but --simulate has none: omit"
                + " one of them, or use --plot");
        require(!simulate || rank == null && !every, "--simulate lists no steps: omit --rank and"
                + " --steps");
        require(svg == null || ranks >= 2 && ranks <= StepsPicture.MOST_RANKS,
                "--svg: expected 2 to " + StepsPicture.MOST_RANKS + " ranks, not " + ranks);
        Picture.check(svg);
        Picture.check(plot);
    }

    // ---- answers ----

    private String steps(Explainer explainer) {
        Choice choice = explainer.choice(all ? MOST_CANDIDATES : SHOWN);
        Steps steps = explainer.steps(every ? -1 : rank == null ? 0 : rank, rounds, LISTED);
        if (svg != null) {
            Picture.write(svg, StepsPicture.draw(choice, explainer, rounds));
        }
        if (!json) {
            return new ExplainText(choice).withSteps(steps).toString();
        }
        Map<String, Object> map = new LinkedHashMap<>(choice.json());
        map.putAll(steps.json(true));
        return Json.of(map) + "\n";
    }

    private String scales(Explainer explainer) {
        Scaling scaling = new Scaling(explainer, rounds, json ? null : err());
        scaling.compare(ranks);
        if (plot != null) {
            scaling.follow(to == null ? ranks : to);
            Picture.write(plot, scaling.picture());
        }
        return json ? Json.of(scaling.json()) + "\n" : scaling.text();
    }
}
