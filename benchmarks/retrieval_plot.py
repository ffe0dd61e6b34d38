"""The curve of the verdict as SVG: what a threshold on the best score refuses and keeps."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

_WIDTH: Final = 640
_HEIGHT: Final = 360
_LEFT: Final = 56
_RIGHT: Final = 16
_TOP: Final = 28
_BOTTOM: Final = 48
_TITLE: Final = "Shares of questions refused and kept, by the least score accepted"
_LINES: Final = (
    ("foreignRefused", "#b3541e", "questions of another subject refused"),
    ("answerableKept", "#1e6bb3", "answered questions kept"),
)


def curve(report: Mapping[str, Any]) -> str:
    """An SVG of the two shares of `report["curve"]` over minScore."""
    rows: Sequence[Mapping[str, float]] = report["curve"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{_TITLE}"',
        '    font-family="sans-serif" font-size="12">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#fff"/>',
    ]
    for step in range(0, 11, 2):
        share = step / 10
        x, y = _x(share), _y(share)
        parts += [
            f'<line x1="{_LEFT}" y1="{y:.1f}" x2="{_WIDTH - _RIGHT}" y2="{y:.1f}" stroke="#ddd"/>',
            f'<text x="{_LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{10 * step}%</text>',
            f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{share:.1f}</text>',
        ]
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    parts.append(f'<text x="{middle}" y="{_HEIGHT - 10}" text-anchor="middle">least score accepted (minScore)</text>')
    for place, (name, colour, label) in enumerate(_LINES):
        points = " ".join(f"{_x(row['minScore']):.1f},{_y(row[name]):.1f}" for row in rows)
        left = _LEFT + place * (_WIDTH - _LEFT - _RIGHT) / 2
        parts += [
            f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<line x1="{left:.0f}" y1="14" x2="{left + 20:.0f}" y2="14" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{left + 26:.0f}" y="18">{label}</text>',
        ]
    return "\n".join((*parts, "</svg>")) + "\n"


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)
