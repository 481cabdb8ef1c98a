# SPDX-License-Identifier: Apache-2.0
"""Times that were taken in turns: ratios, how sure they are, and what they say."""
import math
import statistics
from typing import NamedTuple

LEVEL = 0.05  # ratios that are this near to 1 are level, if the run is sure of it


class Interval(NamedTuple):
    """A median of turns. The median of ever more turns would be between `low` and
    `high`, in 19 of 20 runs."""
    low: float
    median: float
    high: float

    @property
    def width(self):
        return (self.high - self.low) / self.median

    @property
    def noise(self):
        """How far a ratio of equals is from 1, in the worse direction."""
        return max(self.high - 1, 1 - self.low)

    def __str__(self):
        return f'{self.low:.2f} to {self.high:.2f}'


SAME = Interval(1, 1, 1)


def of_ratios(times, others):
    """The interval of the ratio of two sessions that ran in turns. Both times of a
    turn saw the same machine, so their ratio is less noisy than they are."""
    ratios = sorted(a / b for a, b in zip(times, others))
    # As many ratios are below the median as heads fall among coins.
    cut = max(0, int((len(ratios) - 1.96 * math.sqrt(len(ratios))) / 2))
    return Interval(*(round(value, 4) for value in (
        ratios[cut], statistics.median(ratios), ratios[-1 - cut])))


def standing(ratio, control=SAME):
    """'ahead' or 'behind', where `ratio` and `control`, the ratio of two sessions that
    do not differ, have nothing in common; 'level' where both are near 1; 'unsure'
    where the run cannot tell."""
    if ratio.low > control.high:
        return 'ahead'
    if ratio.high < control.low:
        return 'behind'
    ends = (*ratio, *control)
    near = 1 - LEVEL <= min(ends) and max(ends) <= 1 + LEVEL
    return 'level' if near else 'unsure'
