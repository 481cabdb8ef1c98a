# SPDX-License-Identifier: Apache-2.0


class Figure:
    """A number with its title and, if there is a goal, the bar to reach."""

    def __init__(self, title, text, bar='', met=None):
        self.title = title
        self.text = text
        self.bar = bar
        self.met = met  # None: no bar, or the run cannot tell
