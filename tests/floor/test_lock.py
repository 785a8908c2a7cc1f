"""A lock only narrows, holds only while signed, and says what it holds against a game."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import settings as drawing
from hypothesis import strategies as st

from stickman.floor.lock import (
    EXAMPLE_KEY,
    LOCKS,
    WHOLE_NUMBERS,
    Lock,
    load_lock,
    read_lock,
    shipped,
    sign_lock,
    signature_path,
)
from stickman.rules.datafile import BadFile
from stickman.rules.game import Game, value_of
from stickman.rules.settings import GAMES, change, load, settings
from stickman.store.signing import Purpose, Signer, Untrusted, Verifier

OURS, THEIRS = Signer.generate(), Signer.generate()
CRAPS = load("craps")


def lock(text: str, name: str = "mine") -> Lock:
    return read_lock(f'name = "{name}"\n{text}\n'.encode(), f"{name}.toml")


def narrowed(rules: str) -> Lock:
    return lock(f"[settings]\n{rules}")


def changed(*changes: str, game: Game = CRAPS) -> Game:
    for each in changes:
        key, _, value = each.partition(" ")
        game = change(game, key, value)
    return game


# --- Only while signed ---


@pytest.fixture
def signed(tmp_path: Path) -> Path:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nsettings.odds.take = ["2x"]\n')
    sign_lock(path, OURS)
    return path


def test_a_signed_lock_loads(signed: Path) -> None:
    assert load_lock(signed, OURS.verifier).forbids(CRAPS) == ["odds.take is 5x; mine allows only 2x"]


@pytest.mark.parametrize("which", [lambda path: path, signature_path])
def test_one_bit_changed_anywhere_in_lock_or_signature_is_refused(
    signed: Path, which: Callable[[Path], Path]
) -> None:
    good = which(signed).read_bytes()
    for at in range(len(good)):
        for bit in range(8):
            spoilt = bytearray(good)
            spoilt[at] ^= 1 << bit
            which(signed).write_bytes(spoilt)
            with pytest.raises(Untrusted, match=r"mine\.toml"):
                load_lock(signed, OURS.verifier)


def test_a_lock_widened_by_editing_is_refused(signed: Path) -> None:
    signed.write_text(signed.read_text().replace('["2x"]', '["2x", "100x"]'))
    with pytest.raises(Untrusted, match=f"found bytes that the signature of {OURS.key_id} does not fit"):
        load_lock(signed, OURS.verifier)


def test_a_lock_without_a_signature_is_refused(signed: Path) -> None:
    signature_path(signed).unlink()
    with pytest.raises(Untrusted, match=r"mine\.toml\.sig: found a signature that cannot be read"):
        load_lock(signed, OURS.verifier)


def test_a_lock_signed_with_an_unknown_key_is_refused(signed: Path) -> None:
    with pytest.raises(Untrusted, match=f"the unknown key {OURS.key_id}; expected one of {THEIRS.key_id}"):
        load_lock(signed, THEIRS.verifier)


@pytest.mark.parametrize("text", ["", "\n", "no signature", "\ufffd"])
def test_a_signature_that_is_none_is_refused(signed: Path, text: str) -> None:
    signature_path(signed).write_text(text, "utf-8")
    with pytest.raises(Untrusted, match="expected a key id of 16 hex digits"):
        load_lock(signed, OURS.verifier)


def test_the_signature_of_another_lock_is_refused(signed: Path) -> None:
    other = signed.with_name("other.toml")
    other.write_text('name = "other"\n')
    signature_path(signed).write_bytes(sign_lock(other, OURS).read_bytes())
    with pytest.raises(Untrusted, match="does not fit"):
        load_lock(signed, OURS.verifier)


def test_the_signature_of_a_checkpoint_is_worth_nothing_under_a_lock(signed: Path) -> None:
    signature = OURS.sign(Purpose.CHECKPOINT, signed.read_bytes())
    signature_path(signed).write_text(f"{signature}\n")
    with pytest.raises(Untrusted, match="does not fit"):
        load_lock(signed, OURS.verifier)


def test_what_is_no_lock_is_not_signed(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('name = "mine"\nsettings.odds.take = ["1000x"]\n')
    with pytest.raises(BadFile, match="1000x"):
        sign_lock(path, OURS)
    assert not signature_path(path).exists()


# --- What is said must mean something ---


@pytest.mark.parametrize(
    ("text", "key", "found", "allowed"),
    [
        ("[settings", "", "a mistake in the TOML", "a TOML file"),
        ("allow = 1", "allow", "an unknown key", "local_network_only"),
        ("local_network_only = 1", "local_network_only", "1", "true or false"),
        ("settings = 1", "settings", "1", "a table of settings"),
        ("settings.stayup = [true]", "settings.stayup", "an unknown key", "stay_up"),
        ("settings.stayup = { max = 1 }", "settings.stayup", "an unknown key", "stay_up"),
        ('settings.odds.taken = ["2x"]', "settings.odds.taken", "an unknown key", "take"),
        ('settings.odds = ["2x"]', "settings.odds", "['2x']", "a table of settings"),
        ("settings.bet_limits = [1]", "settings.bet_limits", "[1]", "a table of settings"),
        ("settings.stay_up = []", "settings.stay_up", "an empty choice", "at least one"),
        ("settings.stay_up = true", "settings.stay_up", "True", "a list of choices, or a range"),
        ('settings.stay_up = ["yes"]', "settings.stay_up", "'yes'", "true or false"),
        ("settings.seats = [5, 11]", "settings.seats", "11", "a whole number from 1 to 10"),
        ("settings.seats = {}", "settings.seats", "an empty choice", "at least one"),
        ("settings.seats = { max = 11 }", "settings.seats", "11", "a whole number from 1 to 10"),
        ("settings.seats = { min = 0 }", "settings.seats", "0", "a whole number from 1 to 10"),
        ("settings.seats = { min = 1.5 }", "settings.seats.min", "'1.5'", "a whole number"),
        ("settings.seats = { min = 5, max = 4 }", "settings.seats", "min 5 over max 4", "at most max"),
        ("settings.seats = { least = 5 }", "settings.seats.least", "an unknown key", "max, min"),
        ("settings.mode = { min = 1 }", "settings.mode", "1", "one of automated"),
        ("settings.stay_up = { max = 1 }", "settings.stay_up", "1", "true or false"),
        ('settings.points = ["eight"]', "settings.points", "'eight'", "one of six, ten"),
        ('settings.odds.take = ["2x", "1000x"]', "settings.odds.take", "'1000x'", "2x to 100x, 3-4-5x, or"),
        ('settings.fired_up.meter = ["9"]', "settings.fired_up.meter", "'9'", "text of the form"),
        ('settings.field = ["triple"]', "settings.field", "'triple'", "one of double, EL602"),
        ('settings.bonus_craps.paytable = ["BC-10"]', "settings.bonus_craps.paytable", "'BC-10'", "BC-03, BC-04"),
        ('settings.bets = ["pass", "world"]', "settings.bets", "['pass', 'world']", "a list of one of"),
        ("settings.buttons = []", "settings.buttons", "an empty choice", "at least one"),
        ("settings.buttons = { needs = [] }", "settings.buttons", "an empty choice", "at least one"),
        ('settings.buttons = { needs = ["roll"] }', "settings.buttons", "['roll']", "a list of one of across"),
        ('settings.buttons = { among = ["press"], needs = ["across"] }', "settings.buttons", "across", "among"),
        ("settings.buttons = { max = 1 }", "settings.buttons.max", "an unknown key", "among, needs"),
        ('settings.leave_out = ["place.7"]', "settings.leave_out", "['place.7']", "ids of bets"),
        ("settings.bet_limits.x.max_cents = [5]", "settings.bet_limits.x.max_cents", "not a bet", "family"),
        ("settings.bet_limits.place.most = [5]", "settings.bet_limits.place.most", "an unknown", "max_cents"),
        ("settings.bet_limits.place.max_cents = { max = 0 }", "settings.bet_limits.place.max_cents", "0", "from 1"),
        ("settings.limits.max_cents = { max = 1e3 }", "settings.limits.max_cents.max", "'1e3'", "a whole number"),
        ("games = {}", "games", "an empty choice", "at least one"),
        ("games.Craps = {}", "games.Craps.name", "'Craps'", "text of the form"),
        ("games.craps.seats = [5]", "games.craps.seats", "an unknown key", "settings"),
        ("games.craps.settings.seats = [11]", "games.craps.settings.seats", "11", "from 1 to 10"),
        ("games.craps.fingerprints = []", "games.craps.fingerprints", "an empty choice", "at least one"),
        ('fingerprints = ["abc"]', "fingerprints", "['abc']", "a list of text of the form"),
        ('ban = ["place.7"]', "ban", "'place.7'", "or the id of a bet"),
        ('ban = "hop"', "ban", "'hop'", "a list of text"),
    ],
)
def test_a_bad_lock_gets_one_error_with_file_key_found_and_allowed(
    text: str, key: str, found: str, allowed: str
) -> None:
    with pytest.raises(BadFile) as caught:
        lock(text)
    problem = caught.value
    assert problem.file == "mine.toml"
    assert problem.key == key
    assert found in problem.found
    assert allowed in problem.allowed
    assert "\n" not in str(problem)


def test_a_lock_has_a_name() -> None:
    with pytest.raises(BadFile, match="name: found nothing"):
        read_lock(b"", "mine.toml")


def test_a_file_that_is_not_there_or_no_text_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match=r"mine\.toml: found a file that cannot be read"):
        load_lock(tmp_path / "mine.toml", OURS.verifier)
    with pytest.raises(BadFile, match="bytes that are not text"):
        read_lock(b"\xff\xfe", "mine.toml")


def test_no_setting_reaches_beyond_the_whole_numbers_of_a_lock() -> None:
    ranges = [
        re.findall("a whole number from ([0-9,]+) to ([0-9,]+)", setting.allowed) for setting in settings(CRAPS)
    ]
    ends = [int(end.replace(",", "")) for found in ranges for pair in found for end in pair]
    assert len(ends) > 50
    assert {end for end in ends if end not in WHOLE_NUMBERS} == set()


# --- What is forbidden ---


@pytest.mark.parametrize(
    ("rule", "good", "bad", "sentence"),
    [
        (
            'off_lay = ["stays_off"]',
            "off_lay stays_off",
            "seats 9",
            "off_lay is comes_on; mine allows only stays_off",
        ),
        ("stay_up = [false]", "stay_up false", "stay_up true", "stay_up is true; mine allows only false"),
        ("hops = [17]", "hops 17", "hops 21", "hops is 21; mine allows only 17"),
        ("seats = [5, 6]", "seats 6", "seats 7", "seats is 7; mine allows only 5, 6"),
        ("seats = { max = 6 }", "seats 6", "seats 7", "seats is 7; mine allows at most 6"),
        ("seats = { min = 5, max = 6 }", "seats 5", "seats 4", "seats is 4; mine allows 5 to 6"),
        (
            "timers.bets_s = { min = 20 }",
            "timers.bets_s 20",
            "timers.bets_s 19",
            "timers.bets_s is 19; mine allows at least 20",
        ),
        (
            'bonus_craps.paytable = ["BC-05", "BC-06"]',
            "bonus_craps.paytable BC-06",
            "bonus_craps.paytable BC-04",
            "bonus_craps.paytable is BC-04; mine allows only BC-05, BC-06",
        ),
        (
            'buttons = ["press", "across"]',
            'buttons ["press"]',
            'buttons ["press", "inside", "outside"]',
            "buttons has inside, outside; mine allows only press, across",
        ),
        (
            'buttons = { needs = ["across"] }',
            'buttons ["press", "across"]',
            'buttons ["press"]',
            "buttons is press; mine allows nothing without across",
        ),
        (
            "fired_up.cap_cents = { max = 500 }",
            "fired_up.cap_cents 500",
            "fired_up.cap_cents none",
            "fired_up.cap_cents is none; mine allows at most 500",
        ),
        (
            'fired_up.cap_cents = ["none", 500]',
            "fired_up.cap_cents none",
            "fired_up.cap_cents 600",
            "fired_up.cap_cents is 600; mine allows only none, 500",
        ),
        (
            "chips_cents = [[1, 2, 3, 4, 5, 6, 7]]",
            "chips_cents [1, 2, 3, 4, 5, 6, 7]",
            "chips_cents [1, 2, 3, 4, 5, 6, 8]",
            "chips_cents is 1, 2, 3, 4, 5, 6, 8; mine allows only 1, 2, 3, 4, 5, 6, 7",
        ),
    ],
)
def test_a_narrowed_setting_forbids_what_is_outside_and_nothing_inside(
    rule: str, good: str, bad: str, sentence: str
) -> None:
    assert narrowed(rule).forbids(changed(good)) == []
    assert narrowed(rule).forbids(changed(bad)) == [sentence]


def toml(value: object) -> str:
    """A setting's value as a file holds it."""
    if isinstance(value, frozenset | tuple):
        members = sorted(value) if isinstance(value, frozenset) else value
        return f"[{', '.join(map(toml, members))}]"
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


PINNED = [s.key for s in settings(CRAPS) if s.key != "bet_limits" and s.value not in (None, frozenset())]


@pytest.mark.parametrize("key", PINNED)
def test_every_setting_can_be_pinned_to_what_it_is(key: str) -> None:
    now = value_of(CRAPS, key)
    pinned = narrowed(f"{key} = {toml(now) if isinstance(now, frozenset) else f'[{toml(now)}]'}")
    assert pinned.forbids(CRAPS) == []
    others = [load(name) for name in GAMES if value_of(load(name), key) != now]
    for other in others:
        more = isinstance(now, frozenset) and value_of(other, key) <= now
        assert [sentence.split(" ")[0] for sentence in pinned.forbids(other)] == ([] if more else [key])


def test_every_side_game_and_every_family_can_be_banned() -> None:
    for name in CRAPS.sides:
        banned = lock(f'ban = ["{name}"]')
        assert banned.forbids(changed(f"{name}.on true")) == [f"{name}.on is true; mine allows only false"]
        assert banned.forbids(changed(f"{name}.on false")) == []
    for family in CRAPS.bets:
        banned = lock(f'ban = ["{family}"]')
        assert banned.forbids(CRAPS)[0].startswith(f"bets has {family}; mine allows only ")
        assert banned.forbids(changed(f"bets {toml(CRAPS.bets - {family})}")) == []


def test_a_single_bet_can_be_banned() -> None:
    banned = lock('ban = ["hop.1-3", "place.2", "bonus.all", "pass.odds"]')
    assert banned.forbids(CRAPS) == [f"{bet} is on offer; mine bans it" for bet in ("pass.odds", "hop.1-3")]
    assert banned.forbids(changed('leave_out ["hop.1-3", "pass.odds"]')) == []
    assert banned.forbids(load("crapless"))[1] == "place.2 is on offer; mine bans it"


def test_games_are_allowed_by_name() -> None:
    named = lock("games.crapless = {}\ngames.harbour = {}")
    assert named.forbids(CRAPS) == ["name is craps; mine allows only crapless, harbour"]
    assert named.forbids(load("crapless")) == []
    assert named.forbids(changed("name harbour")) == []


def test_a_game_can_be_pinned_to_its_fingerprint() -> None:
    for text in ("games.craps.fingerprints", "fingerprints"):
        pinned = lock(f'{text} = ["{CRAPS.fingerprint()}"]')
        assert pinned.forbids(CRAPS) == []
        [sentence] = pinned.forbids(changed("field EL602"))
        assert re.fullmatch("fingerprint is [0-9a-f]{64}; mine allows only [0-9a-f]{64}", sentence)


def test_what_is_said_of_one_game_does_not_bind_another() -> None:
    one = lock("games.craps.settings.seats = [5]\ngames.easy = {}")
    assert one.forbids(CRAPS) == ["seats is 10; mine allows only 5"]
    assert one.forbids(load("easy")) == []


PLACES = "for place.4, place.5, place.6, place.8, place.9, place.10;"


@pytest.mark.parametrize(
    ("rule", "change_to", "sentence"),
    [
        ("limits.max_cents", "bet_limits.place.max_cents 90001", PLACES),
        ("limits.max_cents", "bet_limits.field.max_cents 90001", "for field; mine allows at most 90,000"),
        ("bet_limits.place.max_cents", "limits.max_cents 90001", PLACES),
        ('bet_limits."place.6".max_cents', "limits.max_cents 90001", "bet_limits.place.6.max_cents is 90001 for"),
        ("lucky_roller.limits.max_cents", "bet_limits.lucky_roller.max_cents 90001", "for lucky_roller.low"),
        ("bet_limits.lucky_roller.max_cents", "lucky_roller.limits.max_cents 90001", "for lucky_roller.low"),
    ],
)
def test_a_limit_holds_whichever_setting_raises_it(rule: str, change_to: str, sentence: str) -> None:
    limited = narrowed(f"{rule} = {{ max = 90_000 }}")
    below = changed("limits.max_cents 90000", "lucky_roller.limits.max_cents 90000")
    assert limited.forbids(below) == []
    [told] = limited.forbids(changed(change_to, game=below))
    assert sentence in told


def test_the_limit_of_a_bet_that_is_not_on_offer_harms_nobody() -> None:
    limited = narrowed("limits.max_cents = { max = 100_000 }")
    over = changed("bet_limits.field.max_cents 200000")
    assert limited.forbids(over) != []
    assert limited.forbids(changed('leave_out ["field"]', game=over)) == []


def test_odds_keep_to_their_policy_unless_a_lock_names_them() -> None:
    assert narrowed("bet_limits.pass.max_cents = { max = 100_000 }").forbids(CRAPS) == []
    named = narrowed('bet_limits."pass.odds".max_cents = { max = 100_000 }')
    assert named.forbids(CRAPS) == [
        "bet_limits.pass.odds.max_cents is 1000000 for pass.odds; mine allows at most 100,000"
    ]


def test_the_form_is_told_what_is_left_of_a_setting() -> None:
    some = lock('settings.odds.take = ["2x", "5x"]\ngames.craps.settings.odds.take = ["5x", "6x"]\nban = ["hop"]')
    assert some.allowed("odds.take").values == ("2x", "5x")
    assert some.allowed("odds.take", "craps").values == ("5x",)
    assert str(some.allowed("odds.lay")) == "anything"
    left = some.allowed("bets").values
    assert left
    assert "hop" not in left


# --- Two locks ---

RULES = {
    "seats": ("[5, 10]", "{ max = 9 }", "{ min = 6 }", "[10]"),
    "odds.take": ('["5x"]', '["2x", "5x", "10x"]'),
    "buttons": ('["press", "across"]', '{ needs = ["across"] }', '{ among = ["across"], needs = ["across"] }'),
    "limits.max_cents": ("{ max = 50_000 }", "[100_000]"),
    "lucky_roller.on": ("[true]", "[false]"),
}
CHANGES = {
    "seats": ("5", "6", "9", "10"),
    "odds.take": ("2x", "5x", "6x"),
    "buttons": ("[]", '["across"]', '["press"]', '["press", "across"]'),
    "limits.max_cents": ("50000", "100000"),
    "bet_limits.place.max_cents": ("50000", "200000"),
    "lucky_roller.on": ("true", "false"),
}


NAMED: tuple[list[str], ...] = ([], ["games.craps = {}"], ["games.craps.settings.hops = [17]", "games.easy = {}"])
BANS: tuple[list[str], ...] = ([], ['ban = ["hop"]'], ['ban = ["hop.1-3", "lucky_shooter"]'])


@st.composite
def locks(draw: st.DrawFn) -> Lock:
    keys = draw(st.sets(st.sampled_from([*RULES])))
    lines = [f"settings.{key} = {draw(st.sampled_from(RULES[key]))}" for key in sorted(keys)]
    lines += draw(st.sampled_from(NAMED)) + draw(st.sampled_from(BANS))
    return lock("\n".join(lines), draw(st.sampled_from(("harbour", "island"))))


@st.composite
def games(draw: st.DrawFn) -> Game:
    keys = draw(st.sets(st.sampled_from([*CHANGES])))
    game = load(draw(st.sampled_from(("craps", "easy", "roll-to-win"))))
    return changed(*(f"{key} {draw(st.sampled_from(CHANGES[key]))}" for key in sorted(keys)), game=game)


@drawing(max_examples=40)
@given(locks(), locks(), games())
def test_two_locks_together_allow_exactly_what_both_allow(one: Lock, other: Lock, game: Game) -> None:
    alone = not one.forbids(game) and not other.forbids(game)
    assert (not (one & other).forbids(game)) == alone
    assert (not (other & one).forbids(game)) == alone


def test_two_locks_that_leave_nothing_say_so() -> None:
    one = narrowed('odds.take = ["2x"]\nseats = { max = 4 }')
    neither = one & narrowed('odds.take = ["5x"]\nseats = { min = 5 }')
    assert neither.forbids(CRAPS) == [
        "odds.take is 5x; mine + mine allows nothing",
        "seats is 10; mine + mine allows no number",
    ]


def test_locks_together_keep_the_strictest_network_and_both_names_and_digests() -> None:
    both = lock("local_network_only = true", "harbour") & lock("", "island")
    assert both.local_network_only
    assert both.name == "harbour + island"
    assert len(both.digests) == 2


# --- The network ---


LOCAL = "127.0.0.1 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.20 169.254.3.4 ::1 fd00::7 fe80::1 fe80::1%eth0"
ELSEWHERE = "8.8.8.8 172.15.255.255 172.32.0.1 192.169.0.1 100.64.0.1 0.0.0.0 :: 2001:4860::8888 ::ffff:8.8.8.8"
UNREADABLE = ("", "terminal-3", "192.168.1", "10.0.0.1:80")


@pytest.mark.parametrize("address", [*LOCAL.split(), "::ffff:192.168.1.20"])
def test_a_local_address_may_connect(address: str) -> None:
    assert lock("local_network_only = true").admits(address)


@pytest.mark.parametrize("address", [*ELSEWHERE.split(), *UNREADABLE])
def test_what_is_not_a_local_address_may_connect_only_where_the_lock_does_not_mind(address: str) -> None:
    assert not lock("local_network_only = true").admits(address)
    assert lock("").admits(address)


# --- The examples ---


def example(name: str) -> Lock:
    return load_lock(shipped(f"{name}.toml"), Verifier.load(shipped(EXAMPLE_KEY)))


@pytest.mark.parametrize("name", LOCKS)
def test_a_shipped_lock_is_signed_with_the_shipped_key(name: str) -> None:
    assert example(name).name == name


def test_no_private_key_is_shipped_and_no_lock_is_forgotten() -> None:
    files = sorted(shipped("").iterdir())
    assert [file.stem for file in files if file.suffix == ".toml"] == sorted(LOCKS)
    assert not [file.name for file in files if b"PRIVATE" in file.read_bytes()]


@pytest.mark.parametrize("game", GAMES)
def test_the_open_lock_forbids_nothing(game: str) -> None:
    assert example("open").forbids(load(game)) == []
    assert example("open").admits("8.8.8.8")


def test_washington_allows_the_two_games_that_were_approved_and_no_other() -> None:
    washington = example("washington")
    allowed = [name for name in GAMES if not washington.forbids(load(name))]
    assert allowed == ["roll-to-win", "shoot-to-win"]
    for name in set(GAMES) - set(allowed):
        assert f"name is {name}; washington allows only roll-to-win, shoot-to-win" in washington.forbids(load(name))


def test_washington_keeps_to_the_local_network() -> None:
    assert not example("washington").admits("8.8.8.8")


@pytest.mark.parametrize(
    ("game", "change_to"),
    [
        ("shoot-to-win", "odds.take 100x"),  # STW Odds: 2 times the bet
        ("shoot-to-win", "field EL602"),  # STW Field: 12 pays 2 to 1
        ("shoot-to-win", 'rotate_on ["seven_out"]'),  # STW Shooter: also when a point is established
        ("shoot-to-win", "buy.rate_bp 400"),  # STW Buy: 5%
        ("roll-to-win", "lay.rate_bp 400"),  # RTW 7.1 Lay: 5%
        ("roll-to-win", "hops 17"),  # RTW 7.1 Hop
        ("roll-to-win", "lucky_shooter.on true"),  # IB 6.1, not RTW
        ("roll-to-win", "fired_up.on true"),  # BC3, not RTW
        ("roll-to-win", "puck_can_be_reset true"),  # RTW 4 (10)
        ("roll-to-win", "hot_shooter.paytable HSJ-51"),  # RTW 7.2: upon the 50th roll
    ],
)
def test_washington_forbids_what_the_approved_description_rules_out(game: str, change_to: str) -> None:
    key, _, _ = change_to.partition(" ")
    [sentence] = example("washington").forbids(changed(change_to, game=load(game)))
    assert sentence.startswith(f"{key} ")


@pytest.mark.parametrize(
    ("game", "change_to"),
    [
        ("roll-to-win", "odds.take 100x"),  # RTW 7.1 Odds: 2x to 100x, as the casino sets
        ("roll-to-win", "mode automated"),  # RTW 2
        ("roll-to-win", "mode dealer_assisted"),  # RTW 2
        ("roll-to-win", "hot_shooter.on false"),  # RTW 6.3: configurable
        ("roll-to-win", "field EL602"),  # RTW has no pay tables
        ("shoot-to-win", "lucky_roller.paytable 92%"),  # STW Lucky Roller
        ("shoot-to-win", "timers.bets_s 45"),  # said nowhere
    ],
)
def test_washington_leaves_open_what_the_sources_leave_open(game: str, change_to: str) -> None:
    assert example("washington").forbids(changed(change_to, game=load(game))) == []


def test_washington_cites_a_source_for_every_key() -> None:
    lines = shipped("washington.toml").read_text("utf-8").splitlines()
    keys = [number for number, line in enumerate(lines) if re.match(r"[a-z_.]+ = ", line) and "name" not in line]
    assert len(keys) > 30
    for number in keys:
        assert re.search(r"\b(RTW|STW)\b", lines[number] + lines[number - 1]), lines[number]
