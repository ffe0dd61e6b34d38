"""English words that no stemmer brings together: irregular forms, and short and long ways to write the same word.

Each row names the word that stands for all after it. Forms that are words of their own as often (`lives`, `bit`,
`rose`, `temp`) are left out.
"""

from types import MappingProxyType
from typing import Final

_IRREGULAR: Final = """
    become: became; begin: began begun; bend: bent; blow: blew blown; break: broke broken; bring: brought
    build: built; burn: burnt; buy: bought; catch: caught; choose: chose chosen; come: came; deal: dealt; dig: dug
    draw: drew drawn; dream: dreamt; drink: drank drunk; drive: drove driven; eat: ate eaten; fall: fell fallen
    feed: fed; feel: felt; fight: fought; find: found; fly: flew flown; forget: forgot forgotten; freeze: froze frozen
    get: got gotten; give: gave given; go: goes went gone; grow: grew grown; hang: hung; hear: heard; hide: hid hidden
    hold: held; keep: kept; know: knew known; lead: led; learn: learnt; leave: left; lend: lent; lose: lost; make: made
    mean: meant; meet: met; overcome: overcame; pay: paid; rebuild: rebuilt; rewrite: rewrote rewritten
    ride: rode ridden; ring: rang rung; run: ran; say: said; see: saw seen; sell: sold; send: sent; shake: shook shaken
    shine: shone; shoot: shot; show: shown; shrink: shrank shrunk; sing: sang sung; sink: sank sunk; sit: sat
    sleep: slept; speak: spoke spoken; spend: spent; stand: stood; steal: stole stolen; stick: stuck; strike: struck
    swear: swore sworn; sweep: swept; swim: swam swum; take: took taken; teach: taught; tell: told; think: thought
    throw: threw thrown; understand: understood; undo: undid undone; wake: woke woken; wear: wore worn; win: won
    withdraw: withdrew withdrawn; write: wrote written
    analysis: analyses; appendix: appendices; basis: bases; child: children kid kids; crisis: crises
    criterion: criteria; foot: feet; half: halves; index: indices; knife: knives; man: men; matrix: matrices
    mouse: mice; person: people; phenomenon: phenomena; schema: schemata; shelf: shelves; tooth: teeth
    vertex: vertices; wife: wives; woman: women"""
_SHORT: Final = """
    address: addr; application: app apps; argument: arg args; array: arr; asynchronous: async; attribute: attr attrs
    authentication: auth; average: avg; bicycle: bike bikes; boolean: bool bools; buffer: buf; calculate: calc
    character: char chars; column: col cols; command: cmd cmds; configuration: config configs conf cfg
    connection: conn; context: ctx; current: curr; database: db dbs; delete: del; destination: dest dst
    dictionary: dict dicts; difference: diff diffs; directory: dir dirs; document: doc docs; element: elem elems
    environment: env envs; error: err errs; exception: exc; execute: exec; expression: expr; family: fam
    father: dad; film: films movie movies; function: func funcs fn; image: img imgs; information: info
    initialise: init initialize; integer: int ints; iterator: iter; javascript: js; kubernetes: k8s; length: len
    library: lib libs; maximum: max; message: msg msgs; minimum: min; mother: mom mum; number: num nums
    object: obj objs; package: pkg pkgs; parameter: param params
    photo: photos photograph photographs pic pics picture pictures
    pointer: ptr ptrs; position: pos; previous: prev; python: py; reference: ref refs; repository: repo repos
    request: req reqs; response: resp; source: src; specification: spec specs; statistics: stats; string: str strs
    synchronous: sync; telephone: phone phones; temporary: tmp; value: val vals; variable: var vars; version: ver"""


def _table(*texts: str) -> dict[str, str]:
    table: dict[str, str] = {}
    for row in "\n".join(texts).replace(";", "\n").split("\n"):
        word, _, others = row.partition(":")
        table.update(dict.fromkeys(others.split(), word.strip()))
    return table


FORMS: Final = MappingProxyType({"english": _table(_IRREGULAR, _SHORT)})
"""By Snowball language: the word that stands for a form, both case-folded."""
