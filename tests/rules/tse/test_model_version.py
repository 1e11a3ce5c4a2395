"""New numbers of the model of chance are a new version: saves name the version they were played under."""

from __future__ import annotations

import hashlib
import json
from importlib import resources

from ruamel.yaml import YAML

from tabletop.rules import rule_set

#: Digests of the numbers by version. Numbers that have changed need a new version here, in ``model.yaml``, in
#: ``model_data.py`` and in ``rule_set.py``, and games of it in ``tests/corpus``; lines of earlier versions stay.
NUMBERS = {3: "9ea1ee0a4f3acaa9"}


def test_every_version_has_its_own_numbers() -> None:
    """Otherwise ``verify`` would call a save played under earlier numbers tampered with."""
    text = resources.files("tabletop.rules.tse").joinpath("model.yaml").read_text("utf-8")
    model = YAML(typ="safe", pure=True).load(text)
    version = model.pop("version")
    assert version == rule_set.find("tse").versions["model"] == max(NUMBERS)
    assert hashlib.sha256(json.dumps(model, sort_keys=True).encode()).hexdigest()[:16] == NUMBERS[version]
