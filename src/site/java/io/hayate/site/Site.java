// SPDX-License-Identifier: Apache-2.0
package io.hayate.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Comment;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Node;
import org.jsoup.select.NodeFilter.FilterResult;

/**
 * Writes the site: README.md and whatever can be reached from it by links. Each Markdown file,
 * manual page, source or folder that a page names becomes a page.
 */
public final class Site {
    private static final Pattern MANUAL = Pattern.compile("(hayate[-a-z]*)\\(([1-9])\\)");
    private static final Path API = Path.of("api");
    /** Words do not lead there: its types have names that those of Hayate have, too. */
    private static final Path MPI_API = Path.of("mpi-api");

    private final Path root;
    private final Path out;
    private final Reader reader;
    private final Layout layout;
    /** Pages of the Javadoc by the names of types, such as Values.Received. */
    private final Map<String, Path> types = new HashMap<>();
    private final Deque<Path> waiting = new ArrayDeque<>();
    private final Set<Path> seen = new HashSet<>();

    private Site(Path root, Path out, Path manuals, String version) throws IOException {
        this.root = root;
        this.out = out;
        this.reader = new Reader(root, manuals);
        this.layout = new Layout(root, reader, version);
    }

    /**
     * Writes a site into a folder that has the Javadoc in "api", and that of mpi in "mpi-api".
     *
     * @param args root of the checkout, the site's folder, folder of the manual pages as HTML,
     *     version
     */
    public static void main(String[] args) throws IOException {
        Path out = Path.of(args[1]).toAbsolutePath();
        Site site = new Site(Path.of(args[0]).toAbsolutePath(), out, Path.of(args[2]), args[3]);
        site.readApi();
        site.write();
        List<String> problems = Links.problems(out);
        problems.forEach(System.err::println);
        System.out.println(site.seen.size() + " documents, " + problems.size() + " problems");
        if (!problems.isEmpty()) {
            System.exit(1);
        }
    }

    // ---- the Javadoc ----

    private void readApi() throws IOException {
        for (Path page : pages(API)) {
            String name = page.getFileName().toString().replaceFirst("\\.html$", "");
            if (Character.isUpperCase(name.charAt(0))) {
                types.put(name, out.relativize(page));
            }
            addWayBack(page);
        }
        for (Path page : pages(MPI_API)) {
            addWayBack(page);
        }
    }

    private List<Path> pages(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(out.resolve(folder))) {
            return files.filter(one -> one.toString().endsWith(".html")).toList();
        }
    }

    private void addWayBack(Path page) throws IOException {
        Document document = Jsoup.parse(page.toFile());
        document.outputSettings().prettyPrint(false);
        Path here = out.relativize(page);
        document.head().appendElement("link").attr("rel", "stylesheet")
                .attr("href", Address.link(here, Path.of("javadoc.css")));
        Element list = document.selectFirst("ul.nav-list");
        Element place = list == null ? document.body().prependElement("p")
                : list.prependElement("li");
        place.appendElement("a").attr("href", Address.link(here, Path.of("index.html")))
                .text("Hayate");
        Files.writeString(page, document.outerHtml());
    }

    // ---- documents ----

    private void write() throws IOException {
        want(Path.of("README.md"));
        while (!waiting.isEmpty()) {
            Path file = waiting.remove();
            Path page = Address.of(root, file);
            Path target = out.resolve(page);
            Files.createDirectories(target.getParent());
            if (Address.isPicture(file)) {
                Files.copy(root.resolve(file), target, StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.writeString(target, layout.page(page, content(file, page)));
            }
        }
    }

    private void want(Path file) {
        if (seen.add(Address.of(root, file))) {
            waiting.add(file);
        }
    }

    private Document content(Path file, Path page) throws IOException {
        Document content = reader.read(file);
        content.body().filter((node, depth) -> node instanceof Comment
                ? FilterResult.REMOVE : FilterResult.CONTINUE);
        Path base = Files.isDirectory(root.resolve(file))
                && Files.exists(root.resolve(file).resolve("README.md"))
                ? file.resolve("README.md") : file;
        content.select("a[href]").forEach(link -> rewrite(link, "href", base, page));
        content.select("img[src]").forEach(image -> rewrite(image, "src", base, page));
        content.select("code").forEach(code -> linkCode(code, page));
        content.select("b").forEach(name -> linkManual(name, page));
        content.select("table").forEach(Site::prepareForPhones);
        content.select("pre:has(> code.language-openmpi)").forEach(Site::putSideBySide);
        return content;
    }

    /** A program for Open MPI and the one below it for Hayate, each with the paragraph above it. */
    private static void putSideBySide(Element openMpi) {
        Element pair = new Element("div").addClass("pair");
        List<Element> parts = List.of(openMpi.previousElementSibling(), openMpi,
                openMpi.nextElementSibling(), openMpi.nextElementSiblings().get(1));
        parts.get(0).before(pair);
        pair.appendElement("div").appendChildren(parts.subList(0, 2));
        pair.appendElement("div").appendChildren(parts.subList(2, 4));
    }

    /** On narrow screens a row becomes a paragraph, whose cells say to which column they belong. */
    private static void prepareForPhones(Element table) {
        List<Element> heads = table.select("th");
        for (Element row : table.select("tbody tr")) {
            for (int i = 0; i < row.childrenSize() && i < heads.size(); i++) {
                row.child(i).attr("data-head", heads.get(i).text());
            }
        }
        table.addClass(heads.size() > 2 ? "wide" : "narrow");
        table.wrap("<div class=\"table\"></div>");
    }

    /** A link to a file of the checkout becomes one to its page. */
    private void rewrite(Element element, String attribute, Path file, Path page) {
        String[] parts = element.attr(attribute).split("#", 2);
        if (parts[0].isEmpty() || parts[0].matches("\\w+:.*")) {
            return;
        }
        Path target = (file.toString().isEmpty() ? Path.of(parts[0])
                : file.resolveSibling(parts[0])).normalize();
        if (Files.exists(root.resolve(target)) && !target.startsWith("..")) {
            want(target);
            element.attr(attribute, Address.link(page, Address.of(root, target))
                    + (parts.length > 1 ? "#" + parts[1] : ""));
        }
    }

    /** The name of a public type, or of a manual page, leads there. */
    private void linkCode(Element code, Path page) {
        if (code.closest("a") != null || code.closest("pre") != null) {
            return;
        }
        Matcher manual = MANUAL.matcher(code.text());
        Path type = types.get(code.text());
        if (manual.matches()) {
            link(code, page, manual.group(1) + "." + manual.group(2));
        } else if (type != null) {
            code.wrap("<a class=\"type\" href=\"" + Address.link(page, type) + "\"></a>");
        }
    }

    /** In manual pages: a name in bold, and its section behind it. */
    private void linkManual(Element name, Path page) {
        Node next = name.nextSibling();
        Matcher manual = MANUAL.matcher(name.text() + (next == null ? "" : next.outerHtml()));
        if (name.closest("a") == null && manual.lookingAt()) {
            link(name, page, manual.group(1) + "." + manual.group(2));
        }
    }

    private void link(Element name, Path page, String manual) {
        Path file = Path.of("man", manual);
        if (Files.exists(root.resolve(file))) {
            want(file);
            name.wrap("<a href=\"" + Address.link(page, Address.of(root, file)) + "\"></a>");
        }
    }
}
