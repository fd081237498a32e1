"""A report of a run: pictures and tables of --stats_json, --trace_json and --output=FILE.csv on one page that needs no network."""

import argparse
import contextlib
import json
import pathlib
import shlex
import sys
from html import escape

from lab.page import Page, stop
from lab.report import graph_drawing, large_graphs, stats_charts, trace_charts, value_charts
from lab.svg import counted, seconds_text, short


def title_of(stats):
    return f"{stats['application']} on {counted(stats['locales'], 'locale')}, {counted(stats['cores'], 'core')}"


def add_origin(report, stats, files):
    """When, where, with which version and which command; without the flags for the files that this page is made of."""
    run = stats.get("run")
    if not run:
        return
    report.paragraph(f"{run['date'].replace('T', ' ').replace('Z', ' UTC')}, host {run['host']}, Orujo {run['version']}")
    program, *flags = run["command"] or [stats["application"]]
    shown = [flag for flag in flags if flag.partition("=")[2] not in files]
    report.body.append(f"<pre>{escape(shlex.join([pathlib.PurePath(program).name, *shown]))}</pre>")


def add_result(report, stats, tables):
    report.section("Result")
    if stats:
        report.paragraph({True: "The result is verified.", False: "NOT VERIFIED: the result is wrong."}
                         .get(stats.get("verified"), "The result was not verified; --verify does that."))
    for path in tables:
        if len(tables) > 1:
            report.section(pathlib.Path(path).name, 3)
        with reading(path):
            for name, drawing, caption in value_charts.charts(path):
                report.picture(name, drawing, caption)
    if not tables:
        report.paragraph("--output=FILE.csv of a graph application adds pictures of its values.")


def add_input(report, stats, tables):
    key = next((key for key in ("graph", "table", "input") if isinstance(stats.get(key), dict)), None)
    if not key:
        return
    report.section(key.capitalize())
    facts = [f"{value:,} {name.replace('_', ' ')}" if isinstance(value, int) else f"{name.replace('_', ' ')} {value}"
             for name, value in stats[key].items()]
    if "load_seconds" in stats:
        facts.append(f"loaded in {seconds_text(stats['load_seconds'])}")
    report.paragraph(", ".join(facts) + ".")
    if stats.get("degrees"):
        report.picture("degrees", stats_charts.degrees_chart(stats["degrees"]),
                       "Number of vertices by number of edges; both axes are logarithmic.")
    if key == "graph" and stats[key]["edges"]:
        draw = graph_drawing.draw if graph_drawing.is_small(stats) else large_graphs.draw
        drawing, text = draw(stats, tables[0] if tables else None)
        if drawing:
            report.picture("graph", drawing, text)
        else:
            report.paragraph(text)


def add_performance(report, stats, trace):
    report.section("Performance")
    trials = [trial for trial in stats.get("trials", []) if "seconds" in trial]
    if len(trials) > 1:
        report.picture("trials", stats_charts.trials_chart(trials), "Seconds of each trial, in the order in which they ran.")
    elif trials:
        report.paragraph(f"One trial, {seconds_text(trials[0]['seconds'])}.")
    add_supersteps(report, stats)
    if stats.get("core_seconds"):
        add_cores(report, stats["core_seconds"])
    if stats.get("traffic"):
        report.section("Traffic", 3)
        report.picture("traffic", stats_charts.traffic_chart(stats["traffic"], stats["locales"]),
                       "Bytes of messages from the cores of one locale to those of another, over the whole job, loading included. "
                       "The diagonal is what cores of one locale send each other.")
    if trace:
        add_trace(report, trace)


def add_supersteps(report, stats):
    steps, runs = stats_charts.last_run(stats)
    if not steps:
        return
    report.section("Supersteps", 3)
    text = f"{counted(len(steps), 'superstep')}, those of the last of {runs} runs." if runs > 1 else f"{counted(len(steps), 'superstep')}."
    if stats.get("supersteps_left_out"):
        text += f" The log was full: {stats['supersteps_left_out']:,} further ones are not shown."
    report.paragraph(text)
    report.picture("frontier", stats_charts.supersteps_chart(steps, "frontier", "Frontier over time", "active vertices"),
                   "Number of vertices with a new value for their neighbours, and its direction: pulled by all vertices over their "
                   "in-edges, pushed by the active ones over their out-edges, or in sweeps that update in place. "
                   "The vertical axis is logarithmic.")
    if all(step["edges"] is not None for step in steps):  # pulls of a search stop early at each vertex, and do not count
        report.picture("edges", stats_charts.supersteps_chart(steps, "edges", "Edges examined over time", "edges"),
                       "A pull examines the in-edges of all vertices, a push the out-edges of the active ones.")
    report.picture("split", stats_charts.split_chart(steps),
                   "Blue is work that all share, orange what the busiest core has more of it, grey the time in which every "
                   "core waits: for messages, or for its turn on a CPU.")
    report.table(["superstep", "direction", "frontier", "edges", "time", "busy, mean", "busy, most", "waiting, mean"],
                 [(step["superstep"], step["direction"], f"{step['frontier']:,}",
                   "not counted" if step["edges"] is None else f"{step['edges']:,}", seconds_text(step["seconds"]),
                   seconds_text(step["mean_busy_seconds"]), seconds_text(step["most_busy_seconds"]),
                   seconds_text(step["mean_waiting_seconds"])) for step in steps], "The numbers")


def add_cores(report, core_seconds):
    report.section("Cores", 3)
    busy, waiting = core_seconds["busy"], core_seconds["waiting"]
    share = sum(waiting) / max(sum(waiting) + sum(busy), 1e-12)
    report.paragraph(f"The busiest core works {stats_charts.imbalance(busy):.1f} % more than the mean of all; "
                     f"{100 * share:.1f} % of the cores' time is waiting.")
    report.picture("cores", stats_charts.cores_chart(core_seconds),
                   "Over all supersteps, or the last trial. Busy is a core that runs tasks or handles messages, also while the "
                   "system gives its CPU to another; waiting one that has neither.")


def add_trace(report, trace):
    report.section("Trace", 3)
    if trace.dropped:
        report.paragraph(f"The trace lacks the oldest {trace.dropped:,} events: --trace_events_per_core keeps more.")
    if not trace.pieces:
        report.paragraph("It has no spans.")
        return
    white = "The phase that a core was in for most of each 400th of the time; empty where it was in none."
    timeline = trace_charts.timeline_chart(trace, "What each core did when", trace.begin, trace.seconds)
    report.picture("timeline", timeline, f"{white} An idle core polls for messages, one that naps (thin) sleeps until something arrives.",
                   trace_charts.zoom_data(trace, timeline))
    if trace.work and trace.work[1] - trace.work[0] < 0.7 * (trace.seconds - trace.begin):
        report.picture("work", trace_charts.timeline_chart(trace, "The same without loading and output", *trace.work), white)
    report.picture("phases", trace_charts.phases_chart(trace), "Seconds of each core in each phase, without those in phases within it.")
    report.table(["phase", "mean of the cores", "most", "at core", "most over mean"],
                 [(name, seconds_text(mean), seconds_text(most), core, f"+{uneven:.1f} %")
                  for name, mean, most, core, uneven in trace_charts.phase_rows(trace)])
    for name, (unit, title) in trace_charts.CURVES.items():
        if trace.curves.get(name):
            most = max(value for samples in trace.curves[name].values() for _, value in samples)
            report.picture(name.replace(" ", "_"), trace_charts.curve_chart(trace, name, unit, title),
                           f"Sampled about every millisecond; the largest value of a core is {short(most)}.")


@contextlib.contextmanager
def reading(path, wrong=":"):
    try:
        yield
    except OSError as error:
        stop(66, f"cannot read {path}: {error.strerror}")
    except ValueError as error:
        stop(65, f"{path}{wrong} {error}")


def read(path):
    with reading(path, " is no JSON:"):
        document = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    if not isinstance(document, dict) or not ("traceEvents" in document or "application" in document):
        stop(65, f"{path} is neither of --stats_json nor of --trace_json")
    return document


def main(arguments):
    parser = argparse.ArgumentParser(prog="bin/orujo plot", description=__doc__)
    parser.add_argument("files", nargs="+", metavar="FILE",
                        help="file of --stats_json, of --trace_json (at most one each), or of --output=FILE.csv")
    parser.add_argument("-o", "--output", default="report.html", metavar="PAGE", help="page to write (default report.html)")
    parser.add_argument("--svg", action="store_true", help="also write the pictures as .svg beside the page")
    parser.add_argument("--png", action="store_true", help="also write them as .png; requires rsvg-convert (librsvg2-bin) or chromium")
    parser.add_argument("--only", metavar="NAMES", help="draw only these pictures, separated by commas, such as frontier,degrees")
    options = parser.parse_args(arguments)
    only = options.only.split(",") if options.only is not None else None
    tables = [path for path in options.files if path.endswith(".csv")]
    documents = [read(path) for path in options.files if path not in tables]
    stats = [document for document in documents if "application" in document]
    traces = [document for document in documents if "traceEvents" in document]
    if len(stats) > 1 or len(traces) > 1:
        parser.error("one file of --stats_json and one of --trace_json at most")
    report = Page(title_of(stats[0]) if stats else "A trace" if traces else "Values of vertices", only)
    about = stats[0] if stats else {}
    if stats:
        add_origin(report, about, options.files)
    if stats or tables:
        add_result(report, about, tables)
    add_input(report, about, tables)
    if stats or traces:
        add_performance(report, about, trace_charts.Trace(traces[0]) if traces else None)
    unknown = [name for name in only or [] if name not in report.names]
    if unknown:
        parser.error(f"there is no picture {unknown[0]!r}, but {', '.join(report.names)}")
    sys.stderr.write(f"orujo: wrote {', '.join(report.save(options.output, options.svg, options.png))}\n")
