"""Names of headings as GitHub makes them, which the links of the documents use."""

import re


def as_on_github(heading, separator):
    plain = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", plain).strip().replace(" ", separator)
