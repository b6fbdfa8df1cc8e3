"""The screen as a picture file that needs nothing from anywhere else."""

from __future__ import annotations

import re

from textual.app import App


def picture(app: App[int], title: str = "Duelbook") -> str:
    """The screen as SVG. The fonts that the drawing would fetch from afar are left out: every system has its own."""
    svg = app.export_screenshot(title=title, simplify=True)
    svg = re.sub(r"@font-face\s*\{[^}]*\}\s*|<!--.*?-->\s*", "", svg, flags=re.DOTALL)
    return svg.replace("Fira Code", "DejaVu Sans Mono, Menlo, Consolas").replace("\u00a0", "&#160;")
