"""Options that benchmarks share."""

import argparse


def some_of(known):
    """The type of an option: some of these words, separated by commas."""
    def read(text):
        found = text.split(",")
        if not set(found) <= set(known):
            raise argparse.ArgumentTypeError(f"{text}: some of {', '.join(known)} are possible")
        return found
    return read


class Parser(argparse.ArgumentParser):
    """Of a benchmark with --quick. sizes: name -> (meaning, default, default of --quick), whole numbers."""

    def __init__(self, name, about, quick, sizes):
        super().__init__(prog=f"bin/orujo bench {name}", description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.sizes = sizes
        self.add_argument("--quick", action="store_true", help=quick)
        for size, (meaning, usual, small) in sizes.items():
            self.add_argument(f"--{size}", type=int, help=f"{meaning} (default {usual}, of --quick {small})")

    def parse_args(self, arguments):
        options = super().parse_args(arguments)
        for size, (_, usual, small) in self.sizes.items():
            if getattr(options, size) is None:
                setattr(options, size, small if options.quick else usual)
        return options
