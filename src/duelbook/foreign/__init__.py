"""Environments that others wrote for the duels: does the file in hand keep the laws of the rule book?"""

from duelbook.foreign.check import Checked, check_env
from duelbook.foreign.hosted import BadEnvironment
from duelbook.foreign.laws import BREAKS, CANNOT_TELL, KEEPS, Finding, Law, laws_of

__all__ = ["BREAKS", "CANNOT_TELL", "KEEPS", "BadEnvironment", "Checked", "Finding", "Law", "check_env", "laws_of"]
