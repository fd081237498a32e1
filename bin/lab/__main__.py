"""Measurements and pictures: python3 bin/lab papers|scaling|choices|ldbc|plot|charts ARGUMENT..., as bin/orujo calls them."""

import importlib
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path[0] = str(pathlib.Path(__file__).resolve().parents[1])  # for the package's name, lab

MODULES = {"papers": "papers.bench", "scaling": "scaling.bench", "choices": "choices", "ldbc": "ldbc", "plot": "report.report",
           "charts": "benchmark_charts"}


def main():
    if len(sys.argv) < 2 or sys.argv[1] not in MODULES:
        sys.exit(__doc__)
    from lab.runs import Failed
    try:
        return importlib.import_module(f"lab.{MODULES[sys.argv[1]]}").main(sys.argv[2:])
    except Failed as why:
        return f"orujo: {why}"


if __name__ == "__main__":
    sys.exit(main())
