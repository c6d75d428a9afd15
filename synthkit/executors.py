"""Calls here or in worker processes, results as they come; workers that end with their parent."""

from __future__ import annotations

import contextlib
import importlib
import multiprocessing
import multiprocessing.connection
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from concurrent.futures.process import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import islice
from multiprocessing import resource_tracker
from typing import TypeVar

Job = TypeVar("Job")
Argument = TypeVar("Argument")
Result = TypeVar("Result")

# Calls that are handed out before their results are back: enough to keep workers busy.
IN_FLIGHT = 64


class WorkerLostError(Exception):
    """A worker ended before its work was done; the calls that were not answered are lost."""


def calls(
    executor: Executor | None,
    function: Callable[[Job, Argument], Result],
    job: Job,
    arguments: Iterable[Argument],
) -> Iterator[Result]:
    """Yield the result of each call as it comes; in this process where there is no executor.

    Raises :class:`WorkerLostError` as soon as the executor says that a worker is gone.
    """
    if executor is None:
        for argument in arguments:
            yield function(job, argument)
        return
    waiting: set[Future[Result]] = set()
    left = iter(arguments)
    try:
        while True:
            for argument in islice(left, IN_FLIGHT - len(waiting)):
                waiting.add(executor.submit(function, job, argument))
            if not waiting:
                return
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenExecutor:
        raise WorkerLostError from None
    finally:
        for future in waiting:
            future.cancel()


@contextmanager
def processes(jobs: int, modules: Sequence[str] = ()) -> Iterator[Executor | None]:
    """An executor of ``jobs`` processes on this machine; None, the process itself, for one.

    They start at once and import ``modules`` while their parent does something else.

    They are forked from a process that has nothing but the imports, or spawned, and so hold no
    lock of a thread that is not theirs. Each ends with its parent, however that ends.
    """
    if jobs == 1:
        yield None
        return
    before = set(multiprocessing.active_children())
    # A server that forks imports once for all; Windows has none.
    server = "forkserver" in multiprocessing.get_all_start_methods()
    context = multiprocessing.get_context("forkserver" if server else "spawn")
    if server:
        context.set_forkserver_preload(list(modules))
    main = threading.current_thread() is threading.main_thread()
    # Before the first process is there, which the executor's own queues start: from then on there
    # is something to clear away.
    before_it = signal.signal(signal.SIGTERM, _leave) if main else None
    executor: ProcessPoolExecutor | None = None
    starter: threading.Thread | None = None
    try:
        resource_tracker.ensure_running()  # it would let Ctrl-C through again
        executor = ProcessPoolExecutor(
            jobs,
            mp_context=context,
            initializer=_start,
            initargs=(tuple(modules), dict(os.environ)),
        )
        # In a thread of its own, as the server answers when it has imported all: meanwhile the
        # parent reads and plans. Nobody leaves before the workers are up, or they would end with
        # tracebacks.
        starter = threading.Thread(target=_start_workers, args=(executor, jobs))
        starter.start()
        yield executor
    except BaseException:
        if starter is not None:
            with contextlib.suppress(RuntimeError):  # ended before that was started
                starter.join()
        if executor is not None:
            executor.shutdown(wait=False, cancel_futures=True)
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    else:
        starter.join()
        executor.shutdown()
    finally:
        if main:
            signal.signal(signal.SIGTERM, before_it)


def _start_workers(executor: Executor, jobs: int) -> None:
    """Have all workers started, deaf to Ctrl-C: that is their parent's alone."""
    if hasattr(signal, "pthread_sigmask"):  # not on Windows; of this thread, and what it starts
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    with contextlib.suppress(BrokenExecutor, RuntimeError):  # the first call to wait will tell
        for _ in range(jobs):  # a call starts a worker where none is idle
            executor.submit(os.getpid)


def _leave(number: int, frame: object) -> None:
    sys.exit(128 + number)  # as a shell tells it


def _start(modules: Sequence[str], environment: Mapping[str, str]) -> None:
    """In each worker: leave Ctrl-C to the parent, end when it does, import."""
    os.environ.clear()  # of the server, from when that was started
    os.environ.update(environment)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()
    for module in modules:
        importlib.import_module(module)


def _end_with(sentinel: int) -> None:
    multiprocessing.connection.wait([sentinel])
    os._exit(1)
