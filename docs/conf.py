"""How `make docs` builds the site: Sphinx with MyST, offline, warnings are errors."""

import sys
from importlib.metadata import version as version_of
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent / "_extensions"))

project = "bakeoff"
author = "The bakeoff developers"
copyright = "The bakeoff developers, BSD 3-Clause licence"
version = release = version_of("bakeoff")

extensions = [
    "myst_nb",  # Markdown and notebooks
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "generated",  # the command line and llms.txt: _extensions/generated.py
]
exclude_patterns = ["_build", "_extensions", "_templates"]
templates_path = ["_templates"]
nitpicky = False

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 4
nb_execution_mode = "off"  # tests run the notebooks; the outputs in them are shown
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

autodoc_typehints = "signature"
autodoc_typehints_format = "short"
maximum_signature_line_length = 80  # longer ones have a line for each parameter
autodoc_member_order = "bysource"
autosummary_generate = True
numpydoc_show_class_members = False
numpydoc_xref_param_type = False

smartquotes = False  # docstrings and options hold code: "a" and --b
default_role = "code"  # of docstrings: `name` is code, not emphasis

html_theme = "furo"
html_title = f"bakeoff {version}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_build/extra"]  # the report on the embedded suite, if `make docs` made it
html_theme_options = {"navigation_with_keys": True}
html_copy_source = False
html_show_sphinx = False
