"""Devices at a terminal: drivers and emulators that speak real wires."""
