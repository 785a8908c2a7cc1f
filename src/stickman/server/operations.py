"""For operators: metrics for Prometheus, and logs as lines of JSON."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TextIO

import structlog
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

LATENCIES_S = (0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)
SECRETS = ("password", "token", "code", "cookie", "authorization")


class Metrics:
    """The metrics of one floor."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        counter, gauge = partial(Counter, registry=self.registry), partial(Gauge, registry=self.registry)
        seconds = partial(Histogram, buckets=LATENCIES_S, registry=self.registry)
        labels = ["table", "kind", "outcome"]
        self.requests = counter("stickman_requests", "Requests by table, kind and outcome.", labels)
        self.step = seconds("stickman_step_seconds", "From the start of a request until it is shown.", ["table"])
        self.append = seconds("stickman_append_seconds", "Until a batch is durable.")
        self.records = counter("stickman_records", "Records written.")
        self.rolls = counter("stickman_rolls", "Rolls that counted, by table.", ["table"])
        self.connections = gauge("stickman_connections", "Screens and devices that are connected.", ["screen"])
        self.signals = counter(
            "stickman_signals",
            "Reports of devices by table, signal and outcome.",
            [
                "table",
                "signal",
                "outcome",
            ],
        )
        self.distrusted = counter("stickman_devices_distrusted", "Reports that were missing or changed.", ["table"])
        self.programs = gauge("stickman_device_programs_differ", "Devices whose program is not the server's.")
        self.denied = counter("stickman_denied", "Connections and requests denied.", ["why"])
        self.sign_in_alarms = counter("stickman_sign_in_alarms", "Wrong passwords that an operator must look at.")
        self.sent = counter("stickman_messages_sent", "Messages sent to screens and devices.")
        self.resnapshots = counter("stickman_resnapshots", "Snapshots for screens too slow for their frames.")
        self.served = gauge("stickman_table_served", "1 while this process owns the table.", ["table"])
        self.dice_bad = gauge("stickman_dice_bad", "1 after dice failed a health test.", ["table"])
        self.checkpoints = counter("stickman_checkpoints", "Checkpoints by outcome.", ["outcome"])

    def text(self) -> bytes:
        return generate_latest(self.registry)

    @contextmanager
    def appending(self, records: int) -> Iterator[None]:
        """Measure the append of these records."""
        with self.append.time():
            yield
        self.records.inc(records)


# --- Logs ---


def log_as_json(stream: TextIO = sys.stderr) -> None:
    """Log one JSON object per line, for libraries too; values that look like secrets are blanked."""
    shared: list[Any] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        without_secrets,
    ]
    structlog.configure(
        processors=[*shared, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        logger_factory=structlog.PrintLoggerFactory(stream),
        cache_logger_on_first_use=True,
    )
    lines = logging.StreamHandler(stream)
    form = structlog.stdlib.ProcessorFormatter
    drawn: list[Any] = [form.remove_processors_meta, structlog.processors.JSONRenderer()]
    lines.setFormatter(form(processors=drawn, foreign_pre_chain=shared))
    logging.basicConfig(handlers=[lines], level=logging.WARNING, force=True)


def without_secrets(_logger: object, _method: str, event: dict[str, Any]) -> dict[str, Any]:
    """A log entry with blanks instead of values whose key names a secret."""
    return {key: "…" if any(secret in key for secret in SECRETS) else value for key, value in event.items()}
