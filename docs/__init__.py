"""The site: pages written by hand, and pages made from the code and the packages' own pages."""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The project's folder: whatever the site shows lies in it."""

PAGES = ROOT / "docs" / "pages"
"""The pages written by hand; they are templates, for figures and for parts of other pages."""
