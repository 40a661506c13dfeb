# `typing_extensions`: what `typing` has.

from typing import *
