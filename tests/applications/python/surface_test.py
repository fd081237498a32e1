"""What users read of the Python package: examples of its documentation, and its types.  python surface_test.py [UNITTEST_ARGUMENT...]"""

import doctest
import importlib.util
import inspect
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import numpy as np
import orujo

PROGRAM = '''
from typing import Any, List, Tuple

import numpy as np
import orujo

g: orujo.Graph = orujo.read_csv("edges.csv", source="from", target="to", names=True)
ranks: np.ndarray = orujo.pagerank(g, 0.9, precision="double")
best = g.ids[np.argmax(ranks)]
levels, parents = orujo.bfs(g, best)
first: List[Tuple[Any, Any]] = orujo.top(ranks, 3)
count: int = orujo.triangle_counting(g) + len(g) + g.memory_bytes
print(g.to_pandas().columns, g.as_dict(levels), parents.dtype, count)
'''
MISTAKES = {
    'orujo.pagerank("edges.csv")': "arg-type",
    "orujo.pagerank(g, daming=0.9)": "call-arg",
    "orujo.bfs(g, 1).level": "attr-defined",
    "more: str = orujo.triangle_counting(g)": "assignment",
}


class surface(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)

    def test_every_public_function_has_an_example_that_runs(self):
        finder = doctest.DocTestFinder(exclude_empty=True)
        names = {name: getattr(orujo, name) for name in orujo.__all__}
        self.assertEqual([name for name, of in names.items() if ">>>" not in (inspect.getdoc(of) or "")], [])
        runner = doctest.DocTestRunner(verbose=False)
        for name, of in [("orujo", orujo), *names.items()]:
            for test in finder.find(of, name, module=sys.modules[getattr(of, "__module__", "orujo")], globs={"orujo": orujo, "np": np}):
                said = []
                runner.run(test, out=said.append)
                self.assertEqual("".join(said), "", test.name)
        self.assertGreater(runner.tries, 50)
        self.assertEqual([name for name in dir(orujo.Graph) if not name.startswith("_") and not getattr(orujo.Graph, name).__doc__], [])

    def test_the_stub_has_what_the_module_has(self):
        stub = pathlib.Path(orujo.__file__).with_name("_core.pyi").read_text()
        for name in dir(orujo._core):
            if not name.startswith("_"):
                self.assertRegex(stub, rf"(?m)^(def|class) {name}\b")
        for name in dir(orujo._core.Graph):
            if not name.startswith("_"):
                self.assertIn(f"    def {name}(self)", stub)

    def mypy(self, *arguments):
        return subprocess.run([sys.executable, "-m", "mypy", "--strict", *arguments], capture_output=True, text=True, timeout=300)

    @unittest.skipUnless(importlib.util.find_spec("mypy"), "mypy is not installed")
    def test_types(self):
        modules = ("_algorithms", "_centralities", "_core", "_graph", "_inputs", "_job", "_load", "_progress", "_query", "_results")
        ran = self.mypy("-m", "orujo", *(word for name in modules for word in ("-m", f"orujo.{name}")))
        self.assertEqual(ran.returncode, 0, ran.stdout)
        program = pathlib.Path("program.py")
        program.write_text(PROGRAM)
        ran = self.mypy("program.py")
        self.assertEqual(ran.returncode, 0, ran.stdout)
        program.write_text(PROGRAM + "\n".join(MISTAKES))
        said = self.mypy("program.py").stdout
        for kind in MISTAKES.values():
            self.assertIn(f"[{kind}]", said)


if __name__ == "__main__":
    unittest.main()
