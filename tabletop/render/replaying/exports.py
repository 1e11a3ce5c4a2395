"""A replay's moment as something to export."""

from __future__ import annotations

from tabletop.render.camera import Camera
from tabletop.render.exporting.subject import Subject
from tabletop.render.objectives import objective_layer
from tabletop.render.replaying import marks
from tabletop.render.replaying.playhead import Playhead
from tabletop.render.replaying.stage import over


def subject(head: Playhead, camera: Camera) -> Subject:
    """Return what is shown now, with what is pointed out of the action, and the battle as far as it was wound off."""
    moment, reel = head.moment, head.reel
    seen = moment.act.seen(head.share)
    done = (objective_layer(moment.battle), marks.done(moment.act.beats, camera.drawn))
    return Subject(
        battle=seen.battle,
        camera=camera,
        moment=f"turn {moment.turn} action {moment.n}",
        over=over(seen, head, camera.drawn, done),
        faint=() if seen.mover is None else (seen.mover.id,),
        header=reel.header,
        steps=reel.steps_until(reel.last),
    )
