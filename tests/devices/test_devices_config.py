"""The configuration of a devices process: what it makes, and what it says of a mistake."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from stickman.cli import main
from stickman.cli.devices_command import read_devices
from stickman.devices.config import device_entries, make_peripheral, port_setup
from stickman.devices.gpio import Contact
from stickman.devices.memory import Remembered
from stickman.devices.ports import PortSetup
from stickman.devices.printer_peripheral import PrinterPeripheral
from stickman.rules.datafile import BadFile

GOOD = """
server = "https://floor.local:8443"
certificate = "floor.pem"

[acceptors.seat-1]
port = "/dev/ttyS0"

[printers.seat-1]
port = "socket://10.0.0.7:9100"
presenter = true

[printers.seat-2]
port = "/dev/ttyS1"

[doors.seat-1]
port = "/dev/gpiochip0"
contacts = { cage_main = { line = 4 }, key = { line = 6, active_low = false } }

[doors.table]
port = "socket://127.0.0.1:7000"
contacts = { centre_unit = {}, power = {} }
"""
NOTHING = Remembered("", "", "0" * 16, 1, b"{}", ())


def written(folder: Path, text: str) -> Path:
    file = folder / "devices.toml"
    file.write_text(text)
    return file


def test_every_device_has_a_name_a_peripheral_and_a_port(tmp_path: Path) -> None:
    config = read_devices(written(tmp_path, GOOD))
    entries = device_entries(config)
    kinds = {name: make_peripheral(entry, NOTHING).kind for name, entry in entries.items()}
    assert kinds == {
        "acceptor.seat-1": "acceptor",
        "printer.seat-1": "printer",
        "printer.seat-2": "printer",
        "doors.seat-1": "doors",
        "doors.table": "doors",
    }
    assert port_setup(entries["acceptor.seat-1"]) == PortSetup(url="/dev/ttyS0", baud=9600, parity="even")
    assert port_setup(entries["doors.seat-1"]).contacts == (
        Contact(name="cage_main", line=4),
        Contact(name="key", line=6, active_low=False),
    )
    assert port_setup(entries["doors.table"]).contacts == ()
    assert (config.memory, config.certificate) == (str(tmp_path / "devices.db"), str(tmp_path / "floor.pem"))
    made = [make_peripheral(entries[name], NOTHING) for name in ("printer.seat-1", "printer.seat-2")]
    assert [each._driver.setup.baud for each in made if isinstance(each, PrinterPeripheral)] == [0, 38_400]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"https://', '"ftp://'), "server: found 'ftp://floor.local:8443'; allowed: text of the form https?://"),
        (("server =", "serve ="), "serve: found an unknown key; allowed: server"),
        (('"/dev/ttyS0"', '"COM1"'), "acceptors.seat-1.port: found 'COM1'; allowed: text of the form"),
        (("presenter = true", "presenter = 7"), "printers.seat-1.presenter: found 7; allowed: true or false"),
        (("presenter = true", "baud = 9"), "printers.seat-1.baud: found 9; allowed: a whole number from 300"),
        (("presenter = true", "paper = { dots = 400 }"), "printers.seat-1.paper.dots: found 400; allowed: a whole"),
        (
            ("presenter = true", "paper = { code_page = 9 }"),
            "printers.seat-1.paper.code_page: found 9; allowed: one",
        ),
        (
            ("[acceptors.seat-1]", '[acceptors."Seat 1"]'),
            "acceptors.Seat 1: found 'Seat 1'; allowed: a name of the",
        ),
        (
            ("centre_unit = {}", "roof = {}"),
            "doors.table.contacts.roof: found 'roof'; allowed: one of terminal_logic",
        ),
        (("{ centre_unit = {}, power = {} }", "{}"), "doors.table.contacts: found no contact; allowed: one of"),
        (("line = 6,", "line = 4,"), "doors.seat-1.contacts: found lines [4, 4]; allowed: a line of its own"),
        (
            ("ttyS1", "ttyS0"),
            "printers.seat-2.port: found '/dev/ttyS0', which acceptors.seat-1 has; allowed: a port",
        ),
    ],
)
def test_a_mistake_names_the_key_what_was_found_and_what_is_allowed(
    tmp_path: Path, change: tuple[str, str], says: str
) -> None:
    assert change[0] in GOOD
    with pytest.raises(BadFile) as caught:
        read_devices(written(tmp_path, GOOD.replace(*change)))
    assert says in str(caught.value)


def test_the_configuration_of_the_page_is_accepted(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "devices.md").read_text("utf-8")
    [example] = re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    entries = device_entries(read_devices(written(tmp_path, example)))
    assert list(entries) == ["acceptor.seat-1", "printer.seat-1", "doors.seat-1"]


def test_a_process_without_a_device_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="found 0 devices; allowed: 1 to 256"):
        read_devices(written(tmp_path, 'server = "http://127.0.0.1:8000"'))


def test_the_command_says_a_mistake_in_one_line(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD.replace("ttyS1", "ttyS0"))
    ran = CliRunner().invoke(main, ["devices", "--config", str(file)])
    assert ran.exit_code == 1
    assert ran.output.startswith(f"Error: {file}: printers.seat-2.port: found")
    assert ran.output.count("\n") == 1
    assert CliRunner().invoke(main, ["devices"]).output.endswith("Error: --config FILE is needed\n")


def test_enrol_names_the_devices_that_there_are(tmp_path: Path) -> None:
    file = written(tmp_path, GOOD)
    ran = CliRunner().invoke(main, ["devices", "enrol", "acceptor.seat-9", "CODE", "--config", str(file)])
    assert "found no device 'acceptor.seat-9'; allowed: one of acceptor.seat-1, printer.seat-1" in ran.output
