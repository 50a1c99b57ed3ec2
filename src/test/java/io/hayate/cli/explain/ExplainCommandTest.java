// SPDX-License-Identifier: Apache-2.0
package io.hayate.cli.explain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import io.hayate.cli.Command;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

@Tag("once") // the simulation is in C
class ExplainCommandTest {
    private static final Map<String, String> DEFAULTS = Map.of("HAYATE_TUNING", "none");

    @TempDir
    private Path directory;

    private static Command explain(String line) {
        return Command.here(("explain " + line).split(" "));
    }

    private static String text(String line) {
        Command command = explain(line);
        assertEquals(0, command.code(), command.err());
        return command.out();
    }

    private static JsonObject json(String line) {
        return JsonParser.parseString(text(line + " --json")).getAsJsonObject();
    }

    private static JsonArray array(JsonObject object, String name) {
        return object.getAsJsonArray(name);
    }

    @Test
    void should_show_candidates_choice_and_steps() {
        String out = text("allreduce -n 12 --bytes 64K --cpus 12");
        assertTrue(out.startsWith("allreduce of 64 KiB on 12 ranks, persistent, memory in the"
                + " heap\n"), out);
        assertTrue(out.contains("formula us"), out);
        assertTrue(out.matches("(?s).*chosen: [a-z_]+, .*the fastest by the default model: .*"),
                out);
        assertTrue(out.contains("slower candidates (--all)"), out);
        assertTrue(out.matches("(?s).*signals +[0-9]+ +[0-9]+\nbytes moved +[0-9]+ +[0-9]+\n.*"),
                out);
        assertTrue(out.contains("\nrank 0\nstep "), out);
        assertFalse(out.contains("\nrank 1\n"), out);
    }

    @Test
    void should_say_why_the_fastest_is_not_chosen() {
        String out = text("bcast -n 8 --bytes 8K --cpus 2");
        assertTrue(out.matches("(?s).* straight counters ~\n.*\n~ a little faster if all ranks .*"),
                out);
        assertTrue(out.matches("(?s).*chosen: .* prepared .*\n {2}by the default model [0-9.]+ %"
                + " more than .*, but its ranks wait less for each other\n.*"), out);
        assertFalse(text("bcast -n 2 --bytes 8K --cpus 2").contains("~"), out);
    }

    @Test
    void should_explain_itself() {
        String help = text("--help");
        assertTrue(help.contains("Examples:\n  hayate explain "), help);
        for (String option : List.of("--algorithm", "--segment", "--svg", "--simulate", "--plot")) {
            assertTrue(help.contains(option), help);
        }
    }

    @Test
    void should_put_the_fastest_first() {
        JsonArray candidates = array(json("allgather -n 8 --bytes 1K --cpus 8 --all"),
                "candidates");
        double least = candidates.asList().stream()
                .mapToDouble(one -> one.getAsJsonObject().get("first_us").getAsDouble()).min()
                .orElseThrow();
        double before = 0;
        for (JsonElement one : candidates) {
            JsonObject candidate = one.getAsJsonObject();
            if (candidate.get("first_us").getAsDouble() <= 3 * least) {
                assertTrue(candidate.get("us").getAsDouble() >= before, candidates.toString());
                before = candidate.get("us").getAsDouble();
            }
            assertTrue(candidate.get("formula_us").getAsDouble() > 0);
        }
        assertTrue(candidates.size() > 12);
    }

    @Test
    void should_show_the_papers_formulas_of_a_binomial_broadcast() {
        JsonObject chosen = array(json("bcast -n 8 --bytes 4K --algorithm binomial --transfer put"
                + " --buffers straight --sync counters --segment none"), "candidates").get(0)
                .getAsJsonObject();
        assertEquals(chosen.get("formula_us"), chosen.get("paper_put_us"));
        assertTrue(chosen.get("paper_get_us").getAsDouble() > 0);
        assertTrue(text("bcast -n 8 --bytes 4K --algorithm binomial").contains("paper put us"));
        assertFalse(text("bcast -n 8 --bytes 4K --algorithm ring").contains("paper put us"));
    }

    @Test
    void should_say_whose_hint_counted() {
        Command command = Command.run(List.of("-Dhayate.coll.bcast=transfer=get,arity=3"),
                Map.of("HAYATE_TUNING", "none", "HAYATE_COLL_BCAST", "algorithm=knomial",
                        "HAYATE_COLL", "transfer=put"),
                "explain", "bcast", "-n", "16", "--bytes", "1K", "--arity", "8");
        assertEquals(0, command.code(), command.err());
        String out = command.out();
        assertTrue(out.contains("requested: arity=8 (command line)"), out);
        assertTrue(out.contains("requested: algorithm=knomial (HAYATE_COLL_BCAST)"), out);
        assertFalse(out.contains("transfer=put"), out); // belonged to no algorithm
        assertTrue(out.contains("chosen: knomial, "), out);
        assertTrue(out.contains("arity 8"), out);
    }

    @Test
    void should_tell_that_a_rules_file_is_damaged() throws IOException {
        Path rules = directory.resolve("rules.conf");
        Files.writeString(rules, "rules\n");
        Command command = Command.run(List.of("-Dhayate.coll.rules=" + rules), DEFAULTS,
                "explain", "barrier", "-n", "4");
        assertEquals(0, command.code(), command.err());
        assertTrue(command.out().contains("note: " + rules + ":1: "), command.out());
    }

    @Test
    void should_list_the_steps_of_the_rank_that_is_asked_for() {
        String out = text("bcast -n 8 --bytes 64K --rank 3 --algorithm binomial --transfer get");
        assertTrue(out.contains("\nrank 3\nstep "), out);
        assertFalse(out.contains("\nrank 0\n"), out);
        assertTrue(out.matches("(?s).*GET [0-9]+ B from rank 2 .*"), out);
    }

    @Test
    void should_list_the_steps_of_all_ranks_in_order() {
        JsonObject all = json("alltoall -n 5 --bytes 1K --steps --algorithm pairwise");
        JsonArray steps = array(all, "steps");
        JsonArray loads = array(all, "rank_loads");
        assertEquals(5, loads.size());
        int expected = 0;
        int moved = 0;
        for (JsonElement load : loads) {
            expected += load.getAsJsonObject().get("steps").getAsInt();
            moved += load.getAsJsonObject().get("bytes_moved").getAsInt();
        }
        assertEquals(expected, steps.size());
        assertEquals(20 * 1024, moved);
        assertEquals(moved, all.getAsJsonObject("run").get("bytes_moved").getAsInt());
        int rank = 0;
        double end = 0;
        for (JsonElement one : steps) {
            JsonObject step = one.getAsJsonObject();
            end = step.get("rank").getAsInt() == rank ? end : 0;
            assertTrue(step.get("rank").getAsInt() >= rank, "order of ranks");
            assertTrue(step.get("end_us").getAsDouble() >= end, "order of time");
            rank = step.get("rank").getAsInt();
            end = step.get("end_us").getAsDouble();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"bcast -n 5 --bytes 0", "allreduce -n 1 --bytes 8", "barrier -n 1",
        "bcast -n 1 --bytes 0 --ordinary", "alltoall -n 3 --bytes 0"})
    void should_explain_that_there_is_nothing_to_do(String line) {
        String out = text(line);
        assertTrue(out.contains("rank 0 has nothing to do\n"), out);
    }

    @Test
    void should_tell_what_an_ordinary_collective_runs() {
        JsonObject ordinary = json("bcast -n 4 --bytes 1K --ordinary --all");
        assertEquals("ordinary", ordinary.get("kind").getAsString());
        array(ordinary, "candidates").forEach(one -> assertFalse(one.getAsJsonObject().get("way")
                .getAsString().contains("barrier"), one.toString()));
    }

    // ---- pictures ----

    private static Document parsed(Path file) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new InputSource(new StringReader(
                Files.readString(file))));
    }

    private static List<Element> elements(Document picture, String name, String look) {
        List<Element> found = new ArrayList<>();
        NodeList all = picture.getElementsByTagName(name);
        for (int i = 0; i < all.getLength(); i++) {
            Element element = (Element) all.item(i);
            if (List.of(element.getAttribute("class").split(" ")).contains(look)) {
                found.add(element);
            }
        }
        return found;
    }

    @Test
    void should_draw_a_bar_for_each_step_and_an_arrow_for_each_signal() throws Exception {
        Path file = directory.resolve("steps.svg");
        JsonObject all = json("bcast -n 8 --bytes 16K --algorithm binomial --transfer get --buffers"
                + " straight --sync counters --segment 8K --steps --svg " + file);
        Document picture = parsed(file);
        for (String kind : List.of("signal", "get", "wait")) {
            long steps = array(all, "steps").asList().stream().filter(step -> step.getAsJsonObject()
                    .get("kind").getAsString().equals(kind)).count();
            assertTrue(steps > 0);
            assertEquals(steps + 1, elements(picture, "rect", kind).size(), kind); // the legend's
        }
        int signals = all.getAsJsonObject("run").get("signals").getAsInt();
        assertEquals(signals + 1, elements(picture, "line", "arrow").size());
        for (Element bar : elements(picture, "rect", "get")) {
            double x = Double.parseDouble(bar.getAttribute("x"));
            assertTrue(x >= 0 && x + Double.parseDouble(bar.getAttribute("width")) <= 1280);
        }
    }

    @Test
    void should_draw_only_the_signals_that_the_end_depended_on_if_there_are_many()
            throws Exception {
        Path file = directory.resolve("steps.svg");
        text("alltoall -n 16 --bytes 1K --svg " + file);
        List<Element> arrows = elements(parsed(file), "line", "arrow");
        assertTrue(arrows.size() > 1 && arrows.size() <= 65, arrows.size() + " arrows");
        double before = 0;
        for (Element arrow : arrows.subList(0, arrows.size() - 1)) { // without the legend's
            double end = Double.parseDouble(arrow.getAttribute("x2"));
            assertTrue(end >= before, "one follows the other");
            before = end;
        }
    }

    @Test
    void should_fold_ranks_that_do_the_same_and_break_long_lines() throws Exception {
        Path file = directory.resolve("steps.svg");
        text("allreduce -n 64 --nodes 8 --net tcp --bytes 8 --cpus 8 --svg " + file);
        Document picture = parsed(file);
        List<String> lanes = elements(picture, "text", "left").stream()
                .map(Element::getTextContent).filter(name -> name.startsWith("rank")).toList();
        assertTrue(lanes.size() < 40, lanes.toString());
        int folded = lanes.stream().filter(name -> name.contains("+"))
                .mapToInt(name -> Integer.parseInt(name.replaceFirst(".*\\+", ""))).sum();
        assertEquals(64, lanes.size() + folded);
        for (Element line : elements(picture, "text", "subtitle")) {
            assertTrue(line.getTextContent().length() * 7 <= 1280, line.getTextContent());
        }
        assertTrue(elements(picture, "text", "title").get(0).getTextContent().length() < 90);
    }

    @Test
    void should_plot_times_up_to_many_processes() throws Exception {
        Path file = directory.resolve("scale.svg");
        JsonObject all = json("bcast --simulate -n 3000 --bytes 8 --algorithm binomial --plot "
                + file);
        List<Integer> ranks = new ArrayList<>();
        double before = 0;
        for (JsonElement one : array(all, "points")) {
            ranks.add(one.getAsJsonObject().get("ranks").getAsInt());
            double time = one.getAsJsonObject().get("us").getAsDouble();
            assertTrue(time > before, "more ranks, more time");
            before = time;
        }
        assertEquals(List.of(2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 3000), ranks);
        for (String kind : List.of("simulated", "closed formula")) {
            assertEquals(12, elements(parsed(file), "circle", "p0").stream()
                    .filter(point -> point.getTextContent().contains(kind)).count(), kind);
        }
    }

    // ---- many ranks ----

    private static JsonObject scaleOfAHundredThousandRanks() {
        return array(json("bcast --simulate -n 100000 --bytes 8 --algorithm binomial"
                + " --transfer put --buffers prepared"), "scales").get(0).getAsJsonObject();
    }

    @Test
    void should_simulate_a_hundred_thousand_ranks() {
        JsonObject scale = scaleOfAHundredThousandRanks();
        for (int i = 0; i < 4 && scale.get("generate_us").getAsDouble() >= 10_000; i++) {
            scale = scaleOfAHundredThousandRanks(); // the machine may have had other work
        }
        assertEquals(99999, scale.get("signals").getAsLong());
        assertEquals(17, scale.get("rank_signals").getAsInt());
        assertEquals(17, scale.get("own_steps").getAsInt());
        assertTrue(scale.get("rank_memory").getAsLong() < 10_000, scale.toString());
        assertTrue(scale.get("generate_us").getAsDouble() < 10_000, scale.toString());
        double formula = scale.get("formula_us").getAsDouble();
        double time = scale.get("us").getAsDouble();
        assertTrue(time > 0.5 * formula && time < 2 * formula, scale.toString());
    }

    @Test
    void should_say_why_an_algorithm_is_not_simulated() {
        String out = text("bcast --simulate -n 100000 --bytes 1M --algorithm scatter_allgather");
        assertTrue(out.matches("(?s).*\nscatter_allgather: .* 100000 ranks .*"), out);
    }

    // ---- bad input ----

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "nosuch -n 4 --bytes 8|allreduce",
        "'Bcast; -n 4 --bytes 8'|did you mean bcast?",
        "bcast --bytes 8|-n",
        "bcast -n 4|--bytes SIZE is missing",
        "barrier -n 4 --bytes 8|has no data",
        "bcast -n 0 --bytes 8|expected 1 to 16777216",
        "bcast -n x --bytes 8|-n",
        "bcast -n 4 --bytes 8,16|one size",
        "bcast -n 4 --bytes 8q|8q",
        "allreduce -n 4 --bytes 12|whole elements of 8 B",
        "bcast -n 4 --bytes 12 --element 8|whole elements of 8 B",
        "allreduce -n 4 --bytes 8 --root 1|has no root",
        "bcast -n 4 --bytes 8 --root 4|root 4",
        "bcast -n 4 --bytes 8 --algorithm bruck|binomial",
        "bcast -n 4 --bytes 8 --algorithm a=b|expected a name",
        "allgather -n 6 --bytes 8 --algorithm recursive_doubling|power of two",
        "bcast -n 4 --bytes 8 --transfer push|auto, put, get",
        "bcast -n 4 --bytes 8 --buffers some|auto, straight, prepared",
        "bcast -n 4 --bytes 8 --sync none|auto, counters, barrier",
        "bcast -n 4 --bytes 8 --segment 8x|expected a size such as 32K",
        "bcast -n 4 --bytes 8 --arity 65|expected 2 to 64",
        "bcast -n 4 --bytes 8 --cpus 0|expected 1 or more",
        "bcast -n 4 --bytes 8 --rank 4|expected 0 to 3",
        "bcast -n 4 --bytes 8 --rank 1 --steps|selects one rank",
        "bcast -n 4 --bytes 8 --rounds 0|expected 1 to 1000",
        "bcast -n 4 --bytes 8 --plot x.svg|--simulate",
        "bcast -n 4 --bytes 8 --simulate --svg x.svg|--plot",
        "bcast -n 4 --bytes 8 --simulate --to 4|--to needs --plot",
        "bcast -n 4 --bytes 8 --simulate --plot x.svg --to 5|expected 2 to -n",
        "bcast -n 65 --bytes 8 --svg x.svg|expected 2 to 64 ranks",
        "allreduce -n 5000 --bytes 8 --steps|4096 at most"})
    void should_refuse_what_cannot_be(String line, String words) {
        Command command = explain(line);
        assertEquals(2, command.code(), command.err());
        assertTrue(command.err().startsWith("hayate explain: "), command.err());
        assertTrue(command.err().contains(words), command.err());
        assertEquals("", command.out());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "steps.png|only SVG is supported",
        "nosuch/steps.svg|there is no directory",
        "full.svg|cannot be written"})
    void should_refuse_files_before_the_work(String name, String words) throws IOException {
        Files.createDirectory(directory.resolve("full.svg"));
        Command command = explain("bcast -n 4 --bytes 8 --svg " + directory.resolve(name));
        assertEquals(1, command.code(), command.err());
        assertTrue(command.err().contains(words), command.err());
        assertEquals("", command.out());
    }
}
