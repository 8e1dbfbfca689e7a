"""What the routes share: the trees, the workers, the counters, and how a request becomes a job."""

import asyncio
from typing import Any

from db_execution.limits import LIMITS
from db_execution.protocol import Terms
from db_execution.service.cache import AnswerCache, Keys, made
from db_execution.service.jobs import Job
from db_execution.service.metrics import Metrics
from db_execution.service.pool import Pool
from db_execution.service.recall import Recall
from db_execution.service.settings import Settings
from db_execution.shapes import Shape
from db_execution.trees import Database, Trees


class Service:
    """One running service, without its wire."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.trees = Trees(settings.trees)
        self.metrics = Metrics()
        self.pool = Pool(settings, self.metrics)
        self.cache = made(settings.cache, settings.cache_mib)

    async def sha256(self, database: Database) -> str:
        """The digest of the database's bytes; reading them does not hold up other requests."""
        if known := self.trees.known_sha256(database):
            return known
        return await asyncio.to_thread(self.trees.sha256, database)

    async def submit(self, terms: Terms, queries: tuple[str, ...], shape: Shape) -> Job:
        """Let ``queries`` wait for a worker. Raises NoSuchDatabase, BadTree, Full or Draining."""
        database = self.trees.find(terms.tree, terms.dataset_name, terms.db_id)
        job = Job(
            key=(terms.tree, terms.dataset_name, terms.db_id),
            work=await self._work(database, terms),
            queries=queries,
            shape=shape,
            mode=terms.mode,
            timeout_ms=terms.timeout_ms,
        )
        if self.cache is not None and terms.mode == "read_only":
            self._recall(job, self.cache)
        if job.queries:
            await self.pool.submit(job)
        else:
            job.close()
        return job

    def _recall(self, job: Job, cache: AnswerCache) -> None:
        """Answer what is kept, and let workers have the rest."""
        keys = Keys(self.settings.profile, job.work, job.mode, job.shape)
        recall = Recall(cache, [keys.of(sql) for sql in job.queries])
        job.queries = tuple([job.queries[place] for place in recall.missing])
        job.weave = recall
        job.begin_with(recall.head())

    async def _work(self, database: Database, terms: Terms) -> dict[str, Any]:
        ask = {
            "want": terms.want,
            "wall_ms": terms.timeout_ms,
            "rows": terms.max_rows,
            "vm_steps": terms.max_vm_steps,
            "clock": terms.clock,
            "seed": terms.seed,
        }
        return {
            "path": str(database.path),
            "stamp": database.stamp,
            "sha256": await self.sha256(database),
            "ask": ask,
        }

    def gauges(self) -> dict[str, int]:
        """The numbers of this moment that ``/metrics`` shows."""
        return {
            "requests_waiting": len(self.pool.room),
            "workers_running": self.pool.running,
            "workers": len(self.pool.pids()),
            "cache_bytes": self.cache.size if self.cache else 0,
        } | {f"limit_{name}_default": limit.default for name, limit in LIMITS.items()}
