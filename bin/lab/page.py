"""A page of pictures and tables that needs no network, in files: as HTML, SVG and PNG."""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from html import escape

from lab.svg import Drawing


def beside(name):
    """The text of a file beside this one."""
    return pathlib.Path(__file__).with_name(name).read_text(encoding="utf-8").rstrip("\n")


class Page:
    """Sections of pictures and tables; with `only`, of the pictures that have these names."""

    def __init__(self, title, only=None):
        self.title, self.only, self.body, self.drawings, self.names, self.zooms = title, only, [], [], [], False

    def section(self, name, level=2):
        self.body.append(f"<h{level}>{escape(name)}</h{level}>")

    def paragraph(self, text):
        self.body.append(f"<p>{escape(text)}</p>")

    def picture(self, name, drawing, caption, zoom=None):
        """With zoom, data of trace_charts.zoom_data(), any part of a timeline can be shown."""
        self.names.append(name)
        if self.only and name not in self.only:
            return
        self.drawings.append(drawing)
        data = json.dumps(zoom, separators=(",", ":")).replace("<", "\\u003c") if zoom else ""
        data = f"<script type='application/json'>{data}</script>" if zoom else ""
        self.zooms |= bool(zoom)
        self.body.append(f"<figure id='{name}'>{drawing.svg()}<figcaption>{escape(caption)}</figcaption>{data}</figure>")

    def table(self, heads, rows, hidden_behind=None):
        cells = "".join(f"<th>{escape(head)}</th>" for head in heads)
        lines = "".join("<tr>" + "".join(f"<td>{escape(str(cell))}</td>" for cell in row) + "</tr>" for row in rows)
        table = f"<table><thead><tr>{cells}</tr></thead><tbody>{lines}</tbody></table>"
        self.body.append(f"<details><summary>{escape(hidden_behind)}</summary>{table}</details>" if hidden_behind else table)

    def html(self):
        script = f"<script>{beside('zoom.js')}\n</script>" if self.zooms else ""
        return (f"<!DOCTYPE html>\n<html lang='en'><head><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
                f"<title>{escape(self.title)}</title><style>{beside('page.css')}</style></head><body><h1>{escape(self.title)}</h1>\n"
                + "\n".join(self.body) + f"\n{script}</body></html>\n")

    def whole(self):
        """All pictures, one below the other."""
        width = max(d.width for d in self.drawings)
        whole = Drawing(width, 44 + sum(d.height + 16 for d in self.drawings), self.title)
        whole.text(20, 30, self.title, size=18, font_weight="bold")
        y = 44
        for drawing in self.drawings:
            whole.parts.append(drawing.svg(0, y))
            y += drawing.height + 16
        return whole

    def save(self, path, svg=False, png=False):
        """Writes the page, and its pictures beside it; returns the names of the files."""
        written = [str(path)]
        write(path, self.html())
        for suffix, wanted, write_picture in ((".svg", svg, lambda path, whole: write(path, whole.svg())), (".png", png, write_png)):
            if wanted and self.drawings:
                written.append(str(pathlib.Path(path).with_suffix(suffix)))
                write_picture(written[-1], self.whole())
        return written


def stop(status, text):
    sys.stderr.write(f"orujo: {text}\n")
    raise SystemExit(status)


def write(path, text):
    try:
        pathlib.Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        stop(74, f"cannot write {path}: {error.strerror}")


def write_png(path, drawing):
    """By rsvg-convert or Chromium, whichever is there; says what is missing where neither is."""
    if shutil.which("rsvg-convert"):
        subprocess.run(["rsvg-convert", "-o", path], input=drawing.svg().encode(), check=True)
        return
    browser = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if not browser:
        stop(71, "a PNG needs rsvg-convert or chromium: apt-get install librsvg2-bin. --svg needs neither")
    with tempfile.TemporaryDirectory() as folder:
        page = pathlib.Path(folder, "page.html")
        page.write_text(f"<body style='margin:0'>{drawing.svg()}</body>")
        subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--hide-scrollbars",
                        f"--window-size={drawing.width},{drawing.height}", f"--screenshot={pathlib.Path(path).resolve()}", page.as_uri()],
                       check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
