"""Measurements and pictures: what bin/orujo bench papers, scaling, choices and ldbc, and bin/orujo plot, run."""
