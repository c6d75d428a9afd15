"""Generate: a plan to a folder of WAVs with manifest, dataset description and checksums.

A set is made command by command, by one process or by any executor's workers; each appends what
it made to a journal, from which the manifest is put together at the end. So a run that was killed
is gone on with, the number of workers has no say, and shards are joined by the same last step.
"""

from synthkit.generate.finish import Failed as Failed
from synthkit.generate.finish import Outcome as Outcome
from synthkit.generate.folder import LOCK as LOCK
from synthkit.generate.folder import check_folder as check_folder
from synthkit.generate.merge import merge as merge
from synthkit.generate.run import generate as generate
from synthkit.generate.shards import Shard as Shard
