"""A computer player that goes wrong."""

from tabletop.battle.battle import Battle
from tabletop.play.computer.choice import Chosen
from tabletop.play.computer.random_mover import RandomMover


class Stumbler:
    """A player who plays at random and, under half of the seeds, falls over at its third action."""

    def __init__(self, seed: int) -> None:
        self.left = 2 if seed % 4 in (0, 1) else 1_000_000
        self.random = RandomMover(seed)

    def choose(self, battle: Battle) -> Chosen:
        self.left -= 1
        if self.left < 0:
            raise ValueError("over\n  a root")
        return self.random.choose(battle)
