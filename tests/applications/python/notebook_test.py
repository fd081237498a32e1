"""Executes a notebook from its begin to its end, and looks at its pictures.  notebook_test.py NOTEBOOK [--write]
With --write it keeps what the cells gave in the notebook."""

import base64
import io
import os
import sys
import tempfile

import matplotlib.image
import nbclient
import nbformat


def pictures(notebook):
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield matplotlib.image.imread(io.BytesIO(base64.b64decode(output["data"]["image/png"])))


def without_what_differs(notebook):
    """When and by what it was executed is not part of it."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def main():
    path = sys.argv[1]
    notebook = nbformat.read(path, as_version=4)
    expected = sum("plt.show()" in cell.source for cell in notebook.cells)
    kept = list(pictures(notebook))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["IPYTHONDIR"] = folder
        nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": folder}}).execute()
    seen = list(pictures(notebook))
    assert len(seen) == expected >= 4, (len(seen), expected)
    for picture in seen:
        high, wide = picture.shape[:2]
        grey = picture[:, :, :3].mean(axis=2)
        assert wide > 250 and high > 150, picture.shape
        ink = (grey < 0.9).mean()
        assert 0.01 < ink < 0.9, f"a picture of {wide} x {high} has {100 * ink:.1f} % ink"
    if "--write" in sys.argv:
        nbformat.write(without_what_differs(notebook), path)
    else:
        assert len(kept) == expected, "the notebook lacks its pictures: notebook_test.py NOTEBOOK --write"
    print(f"{len(notebook.cells)} cells, {len(seen)} pictures")


if __name__ == "__main__":
    main()
