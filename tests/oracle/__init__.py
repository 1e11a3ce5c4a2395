"""An oracle for the predicates of There Stand Empires, written from the rules alone.

No shapely, no numpy, nothing of ``tabletop``: whole numbers and fractions decide everything, and where a heading makes
a coordinate irrational, whole numbers with 180 binary places (54 digits). Every answer carries its exact signed slacks,
so that a test can say how near a decision was: a disagreement is excused only within ``HAIR`` of a threshold.
"""

from fractions import Fraction

#: Half-width in inches of the band around a threshold (a limit plus or minus the tolerance) in which a program on
#: 53-bit floats may decide either way. Anything farther off is a disagreement.
HAIR = 1e-6

#: The declared tolerance in inches.
T = Fraction(1, 200)
