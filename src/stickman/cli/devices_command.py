"""The command of a terminal's devices: `devices` drives them, `devices enrol` gives one its token."""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import closing
from pathlib import Path

import click
from msgspec.structs import replace

from stickman.cli.shell import FILE, JSON, one_line, say
from stickman.devices.config import DevicesConfig, device_entries, kind_of, mistakes
from stickman.devices.link import NotEnrolled, ServerAddress, enrol_device
from stickman.devices.memory import BadMemory, DeviceMemory, StillUnheard
from stickman.devices.runner import DevicesProcess
from stickman.devices.signals import ProgramReported
from stickman.rules.datafile import BadFile, build, one_of, parse_toml
from stickman.server.operations import log_as_json
from stickman.server.program import program as installed

CONFIG = click.option("--config", "file", type=FILE, help="The devices, as a TOML file; see docs/devices.md.")
plain_errors = one_line(BadFile, BadMemory, NotEnrolled, StillUnheard)


@click.group(invoke_without_command=True)
@CONFIG
@click.pass_context
@plain_errors
def devices(context: click.Context, file: Path | None) -> None:
    """Drive the acceptors, printers, doors and keys of a terminal until it is stopped (SIGTERM, SIGINT).

    Logs are lines of JSON on standard error.
    """
    os.umask(0o077)
    if context.invoked_subcommand:
        context.obj = file
        return
    config = read_devices(_given(file))
    memory = DeviceMemory(Path(config.memory))
    log_as_json()
    asyncio.run(_drive(config, memory))


def measured_program() -> ProgramReported:
    """The program as it is installed now."""
    found = installed()
    return ProgramReported(version=found.version, sha256=found.sha256)


async def _drive(config: DevicesConfig, memory: DeviceMemory) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    await DevicesProcess(config, memory, measured_program).run(stop)


@devices.command()
@click.argument("name")
@click.argument("code")
@CONFIG
@click.option("--discard", is_flag=True, help="Forget reports that the server has not acknowledged.")
@JSON
@click.pass_context
@plain_errors
def enrol(context: click.Context, name: str, code: str, file: Path | None, discard: bool, as_json: bool) -> None:
    """Exchange CODE, which the office shows once, for the token of the device NAME, such as acceptor.seat-1."""
    path = _given(file or context.obj)
    config = read_devices(path)
    if name not in device_entries(config):
        raise BadFile(str(path), "", f"no device {name!r}", one_of(device_entries(config)))
    with closing(DeviceMemory(Path(config.memory))) as memory:
        if discard:
            memory.discard(name)
        memory.check_heard(name)
        enrolled = enrol_device(ServerAddress(config.server, config.certificate), code, kind_of(name))
        place = bytes(enrolled.place).decode()
        memory.store_enrolment(name, code, enrolled.token, place)
    say({"device": name, "place": place}, f"{name} is enrolled at {place}", as_json=as_json)


def read_devices(path: Path) -> DevicesConfig:
    """Read a configuration; its paths are relative to its folder. `BadFile` names the first mistake."""
    try:
        text = path.read_text("utf-8")
    except UnicodeDecodeError as problem:
        raise BadFile(str(path), "", f"bytes that are not text ({problem})", "a TOML file") from None
    config = build(DevicesConfig, parse_toml(text, str(path)), str(path))
    for mistake in mistakes(config):
        raise BadFile(str(path), *mistake)
    folder = path.parent.absolute()
    certificate = str(folder / config.certificate) if config.certificate else ""
    return replace(config, memory=str(folder / config.memory), certificate=certificate)


def _given(file: Path | None) -> Path:
    if file is None:
        raise click.UsageError("--config FILE is needed")
    return file
