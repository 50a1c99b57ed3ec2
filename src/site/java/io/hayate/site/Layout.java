// SPDX-License-Identifier: Apache-2.0
package io.hayate.site;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.Entities;

/**
 * The frame of a page: the way back, and all chapters. The lists are those of the documents: the
 * chapters of the guide's README, and the table "Documentation" of the README.
 */
final class Layout {
    private static final Path HOME = Path.of("index.html");
    private static final Path GUIDE = Path.of("docs/guide/README.md");

    private record Entry(String title, Path page) { }

    private final List<Entry> guide;
    private final List<Entry> reference;
    private final String version;

    Layout(Path root, Reader reader, String version) throws IOException {
        this.version = version;
        guide = entries(root, GUIDE, reader, "ol a");
        reference = entries(root, Path.of("README.md"), reader,
                "h2#documentation ~ table td:first-child a");
    }

    private static List<Entry> entries(Path root, Path file, Reader reader, String which)
            throws IOException {
        List<Entry> found = new ArrayList<>();
        for (Element link : reader.read(file).select(which)) {
            Path target = file.resolveSibling(link.attr("href")).normalize();
            found.add(new Entry(reader.read(target).selectFirst("h1").text(),
                    Address.of(root, target)));
        }
        return found;
    }

    /** A whole page. */
    String page(Path page, Document content) {
        String title = content.selectFirst("h1").text();
        return """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>%s</title>
                <link rel="stylesheet" href="%s">
                </head>
                <body>
                <header><a class="home" href="%s">Hayate</a>
                <span class="version">%s</span>
                <a href="%s">Guide</a> <a href="%s">Javadoc</a> <a href="%s">mpi</a>
                <a class="menu" href="#chapters">All pages</a>
                </header>
                <div class="columns">
                <main>
                %s
                %s
                </main>
                <nav id="chapters">
                %s
                </nav>
                </div>
                </body>
                </html>
                """.formatted(Entities.escape(page.equals(HOME) ? title : title + " - Hayate"),
                Address.link(page, Path.of("style.css")), Address.link(page, HOME), version,
                Address.link(page, Path.of("docs/guide/index.html")),
                Address.link(page, Path.of("api/index.html")),
                Address.link(page, Path.of("mpi-api/index.html")), content.body().html(),
                neighbours(page), chapters(page, content));
    }

    /** The chapters before and after this one. */
    private String neighbours(Path page) {
        StringBuilder links = new StringBuilder();
        for (int i = 0; i < guide.size(); i++) {
            if (guide.get(i).page.equals(page)) {
                links.append("<p class=\"neighbours\">");
                if (i > 0) {
                    links.append(link(page, guide.get(i - 1), "before"));
                }
                if (i + 1 < guide.size()) {
                    links.append(link(page, guide.get(i + 1), "after"));
                }
                links.append("</p>");
            }
        }
        return links.toString();
    }

    private static String link(Path page, Entry to, String look) {
        return "<a class=\"%s\" href=\"%s\">%s</a>".formatted(look, Address.link(page, to.page),
                Entities.escape(to.title));
    }

    private String chapters(Path page, Document content) {
        return list("Guide", guide, page, content) + list("Reference", reference, page, content);
    }

    private static String list(String heading, List<Entry> entries, Path page, Document content) {
        StringBuilder list = new StringBuilder("<h2>" + heading + "</h2>\n<ul>\n");
        for (Entry entry : entries) {
            boolean here = entry.page.equals(page);
            list.append("<li>").append(link(page, entry, here ? "here" : ""))
                    .append(here ? sections(content) : "").append("</li>\n");
        }
        return list.append("</ul>\n").toString();
    }

    private static String sections(Document content) {
        StringBuilder list = new StringBuilder();
        for (Element section : content.select("h2[id]")) {
            list.append("<li><a href=\"#").append(section.id()).append("\">")
                    .append(Entities.escape(section.text())).append("</a></li>");
        }
        return list.isEmpty() ? "" : "<ul>" + list + "</ul>";
    }
}
