"""What the window says where a question could not be put: names, and what can be done by hand."""

from pathlib import Path

import pytest

from tabletop.errors import TabletopError
from tabletop.judge import ask
from tabletop.play.files.load import load_scene
from tabletop.render.drawing.refusals import INSTEAD, refusal_sentence

DRILL = load_scene(Path(__file__).resolve().parents[2] / "scenarios" / "realm-of-chance" / "drill-ground.yaml")


@pytest.mark.parametrize(
    ("refusal", "says"),
    [
        ("'colonel' has no front; ask for a unit that fights", "Colonel has no front; ask for a unit that fights."),
        ("where shall 'french-1' move? give --to X,Y or --path X,Y", f"Where shall French battalion move? {INSTEAD}"),
        ("'knoll' is in the way", "Knoll is in the way."),
        ("'colonel' has no reach by 'charge'; ask with --as ride", f"Colonel has no reach by 'charge'. {INSTEAD}"),
        ("--as deploy goes no way: give --ref N --shift X,Y", INSTEAD),
        ("a fall-back needs how far: --from B --distance D", f"A fall-back needs how far. {INSTEAD}"),
        ("nobody is there", "Nobody is there."),
    ],
)
def test_no_ids_and_no_options(refusal: str, says: str) -> None:
    assert refusal_sentence(refusal, DRILL) == says


@pytest.mark.parametrize(
    ("question", "args", "options"),
    [
        ("zones", ["colonel"], {}),
        ("field", ["colonel"], {}),
        ("move", ["french-1"], {}),
        ("move", ["french-1"], {"as": "withdraw", "to": (140, 300)}),
        ("move", ["colonel"], {"as": "charge", "to": (420, 80)}),
        ("reach", ["colonel"], {"as": "charge"}),
    ],
)
def test_every_refusal_there_is_reads_as_a_sentence(question: str, args: list[str], options: dict[str, object]) -> None:
    with pytest.raises(TabletopError) as refused:
        ask(DRILL, question, args, options)
    sentence = refusal_sentence(str(refused.value), DRILL)
    assert "--" not in sentence and args[0] not in sentence
    assert DRILL.called(args[0]) in sentence and sentence[0].isupper()
