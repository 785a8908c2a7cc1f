"""Stickman: an electronic craps table.

For Python programs: play at a table, measure a game, look at a bet.

>>> from stickman import Session, load, par_sheet
>>> table = Session("shoot-to-win")
>>> table.insert("50.00")
>>> table.bet("field", "5.00")
>>> [line.payment.paid_cents for line in table.roll("1-1")]
[1000]
>>> {bet.bet: bet.edge_per_bet_made for bet in par_sheet(load("crapless")).bets}["pass"]
Fraction(373, 6930)
"""

from stickman.par.sheet import BetSheet, Sheet
from stickman.par.sheet import sheet as par_sheet
from stickman.rules.dice import ROLLS, Roll
from stickman.rules.felt import Felt, Hand, Line, Wager
from stickman.rules.game import Game
from stickman.rules.layout import Layout, lay_out
from stickman.rules.settings import GAMES, change, load, settings
from stickman.table.messages import Refusal
from stickman.table.session import NotAllowed, Session

__all__ = [
    "GAMES",
    "ROLLS",
    "BetSheet",
    "Felt",
    "Game",
    "Hand",
    "Layout",
    "Line",
    "NotAllowed",
    "Refusal",
    "Roll",
    "Session",
    "Sheet",
    "Wager",
    "change",
    "lay_out",
    "load",
    "par_sheet",
    "settings",
]
