"""How the page of a tournament looks: its colours, its widths, on a wide screen, on a narrow one and on paper."""

from __future__ import annotations

from duelbook.arena.report.plots import BLUE, ORANGE

WIDE, NARROW, PANEL = 920, 370, 420

STYLE = f"""
:root {{ color-scheme: light; --ink: #22272e; --quiet: #5c636b; --faint: #e3e6ea; --blue: {BLUE}; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0; background: #f5f6f8; color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; }}
main {{ max-width: 1000px; margin: 0 auto; padding: 28px 24px 60px; background: #fff; min-height: 100vh; }}
h1 {{ font-size: 30px; line-height: 1.2; margin: 0 0 4px; }}
h2 {{ font-size: 21px; margin: 44px 0 10px; padding-top: 14px; border-top: 1px solid var(--faint); }}
h3 {{ font-size: 16px; margin: 18px 0 2px; }}
p {{ margin: 8px 0; max-width: 46em; }}
.quiet, figcaption, .key {{ color: var(--quiet); }}
figure {{ margin: 14px 0; }} figcaption {{ font-size: 14px; max-width: 50em; }}
svg {{ display: block; width: 100%; height: auto; }}
.narrow {{ display: none; }}
.panels {{ display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 400px), 1fr)); gap: 6px 26px; }}
.panels figure {{ max-width: {PANEL + 60}px; width: 100%; margin: 8px 0; }}
.key span {{ display: inline-block; margin-right: 18px; white-space: nowrap; }}
.key svg {{ display: inline-block; width: 14px; height: 12px; vertical-align: -1px; }}
.scroll {{ overflow-x: auto; margin: 12px 0; }}
table {{ border-collapse: collapse; font-size: 15px; font-variant-numeric: tabular-nums; }}
th, td {{ padding: 5px 10px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--faint); }}
th {{ font-weight: 600; color: var(--quiet); vertical-align: bottom; }}
thead th {{ white-space: normal; line-height: 1.25; }}
tbody th {{ color: var(--ink); font-weight: 600; }}
th:first-child {{ text-align: left; padding-left: 0; position: sticky; left: 0; background: #fff; }}
td.own {{ background: #f5f6f8; }} td.exact {{ color: var(--quiet); font-style: italic; }}
td small {{ display: block; color: var(--quiet); font-size: 12.5px; }}
.verdict {{ border-left: 4px solid var(--blue); padding: 2px 0 2px 16px; margin: 18px 0; font-size: 17px; }}
.doubt {{ border-left: 4px solid {ORANGE}; padding: 2px 0 2px 16px; margin: 18px 0; }}
.doubt p {{ margin: 4px 0; }}
code, pre {{ font: 14px/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; background: #f5f6f8; }}
code {{ padding: 2px 6px; border-radius: 4px; overflow-wrap: anywhere; }}
pre {{ padding: 10px 12px; border-radius: 6px; overflow-x: auto; max-height: 260px; margin: 6px 0; }}
summary {{ cursor: pointer; color: var(--quiet); }}
ul {{ padding-left: 1.2em; margin: 8px 0; }} li {{ margin: 6px 0; max-width: 50em; }}
@media (max-width: 640px) {{
  main {{ padding: 18px 14px 40px; }} h1 {{ font-size: 24px; }} h2 {{ margin-top: 34px; }}
  .wide {{ display: none; }} .narrow {{ display: block; }}
  th, td {{ padding: 5px 8px; }} table {{ font-size: 14px; }}
}}
@media print {{ body {{ background: #fff; }} h2 {{ break-after: avoid; }} figure, tr {{ break-inside: avoid; }} }}
"""
