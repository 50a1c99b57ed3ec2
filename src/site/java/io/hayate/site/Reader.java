// SPDX-License-Identifier: Apache-2.0
package io.hayate.site;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Entities;

/** Reads files of the checkout as HTML, with the links that they have there. */
final class Reader {
    private static final List<Extension> EXTENSIONS =
            List.of(TablesExtension.create(), HeadingAnchorExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();
    private static final HtmlRenderer RENDERER =
            HtmlRenderer.builder().extensions(EXTENSIONS).build();

    private final Path root;
    private final Path manuals;

    /**
     * @param root of the checkout
     * @param manuals folder with the manual pages as HTML
     */
    Reader(Path root, Path manuals) {
        this.root = root;
        this.manuals = manuals;
    }

    Document read(Path file) throws IOException {
        Document read = Jsoup.parse(html(file));
        read.outputSettings().prettyPrint(false);
        if (read.selectFirst("h1") == null) {
            read.body().prependElement("h1").text(file.toString());
        }
        return read;
    }

    private String html(Path file) throws IOException {
        Path there = root.resolve(file);
        if (Files.isDirectory(there)) {
            return Files.exists(there.resolve("README.md"))
                    ? html(file.resolve("README.md")) : file.endsWith("man") ? manuals()
                    : folder(file);
        } else if (isManual(file)) {
            return manual(Files.readString(manuals.resolve(file.getFileName() + ".html")));
        } else if (file.toString().endsWith(".md")) {
            return RENDERER.render(PARSER.parse(Files.readString(there)));
        }
        return "<pre><code>" + Entities.escape(Files.readString(there)) + "</code></pre>";
    }

    static boolean isManual(Path file) {
        return file.startsWith("man") && file.toString().matches(".*\\.[1-9]");
    }

    /** Sections of a manual page become those of a document: its name is the only title. */
    private static String manual(String fragment) {
        Document page = Jsoup.parse(fragment);
        page.outputSettings().prettyPrint(false);
        Element head = page.selectFirst(".head-ltitle");
        String title = head == null ? "" : head.text().toLowerCase(Locale.ROOT);
        page.select("table.head, table.foot").remove();
        page.select("a.permalink").unwrap();
        page.select("h2").tagName("h3");
        page.select("h1").tagName("h2");
        page.body().prependElement("h1").text(title);
        return page.body().html();
    }

    /** The list of manual pages, with what they say of themselves. */
    private String manuals() throws IOException {
        StringBuilder list = new StringBuilder("<h1>Manual pages</h1><ul class=\"files\">");
        try (Stream<Path> files = Files.list(root.resolve("man"))) {
            for (Path file : files.sorted().toList()) {
                Element name = Jsoup.parse(html(root.relativize(file))).selectFirst("#NAME ~ p");
                list.append("<li><a href=\"man/").append(file.getFileName()).append("\">")
                        .append(Entities.escape(name.text())).append("</a></li>");
            }
        }
        return list.append("</ul>").toString();
    }

    private String folder(Path folder) throws IOException {
        StringBuilder list = new StringBuilder("<h1>" + folder + "</h1><ul class=\"files\">");
        try (Stream<Path> files = Files.list(root.resolve(folder))) {
            files.sorted().map(Path::getFileName).forEach(name -> list.append("<li><a href=\"")
                    .append(folder.getFileName()).append('/').append(name).append("\">")
                    .append(name).append("</a></li>"));
        }
        return list.append("</ul>").toString();
    }
}
