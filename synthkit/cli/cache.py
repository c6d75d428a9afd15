"""``synthkit cache``: speech that was made before."""

from __future__ import annotations

import click


@click.group()
def cache() -> None:
    """Speech that was made before, kept for the next set.

    It lies in the user's cache folder, or in that which SYNTHKIT_CACHE names, and holds at most
    SYNTHKIT_CACHE_BYTES (10 GiB unless told otherwise).
    """


@cache.command("info")
def cache_info() -> None:
    """Show where the cache is and what it holds.

    Example: synthkit cache info
    """
    from synthkit.speech.cache import default_cache

    click.echo(default_cache().info())


@cache.command("clear")
def cache_clear() -> None:
    """Delete every entry of the cache, and no other file.

    Example: synthkit cache clear
    """
    from synthkit.speech.cache import default_cache

    click.echo(f"deleted {default_cache().clear()}")
