"""The runs that the claims want, in turn."""

import statistics

from lab.rounds import in_turn
from lab.runs import built, launched, run


class Plan:
    """Runs by what is run: a command, and whether it is the same once more. The first pass over the claims only notes which
    they want; measure() runs these in turn, round after round; then the claims get figures, a list by round."""

    def __init__(self, options):
        self.options = options
        self.runs = {}
        self.measured = False

    def measure(self):
        for key in in_turn(self.runs, self.options.rounds):
            self.runs[key].append(run(key[0]))
        self.measured = True

    def command(self, name, *flags, locales=1, cores=None, trials=None):
        """One process; `trials` where the program takes them."""
        return (built(name, self.options.programs), f"--locales={locales}", f"--cores={cores or self.options.cores}", *flags,
                *([f"--trials={trials}"] if trials else []), *(["--pin=false"] if self.options.nopin else []))

    def launched(self, name, *flags, locales=2, cores=1):
        """A process for each locale, by the launcher."""
        return launched([built(name, self.options.programs), *flags], locales, cores)

    def by_round(self, command, of_run, again, placeholder):
        found = self.runs.setdefault((tuple(command), again), [])
        return [of_run(ran) for ran in found] if self.measured else [placeholder] * self.options.rounds

    def figures(self, command, of_stats, again=False, placeholder=1.0):
        """By round what of_stats(the program's JSON) is; before anything is measured a placeholder."""
        return self.by_round(command, lambda ran: of_stats(ran.stats), again, placeholder)

    def trials(self, command, of_trial, again=False):
        """By round the median of the trials but the first."""
        return self.by_round(command, lambda ran: max(statistics.median(map(of_trial, ran.trials())), 1e-12), again, 1.0)

    def fewer_cores(self, of_paper):
        return f"{self.options.cores} cores instead of {of_paper}" if self.options.cores < of_paper else ""
