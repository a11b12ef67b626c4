"""A cluster of some nodes of one core each on this machine, which ends with the block that uses it."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager

SAFE = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_AUTH_MODE": "token"}
"""Servers on the loopback address, which take work only from who has the token."""


@contextmanager
def started_cluster(nodes: int) -> Iterator[tuple[str, list[int]]]:
    """Start a cluster of some nodes: its address, and this process, below which its processes are.

    Args:
        nodes: how many, of one core each.
    """
    os.environ |= {**SAFE, "RAY_AUTH_TOKEN": os.environ.get("RAY_AUTH_TOKEN") or secrets.token_hex(32)}
    from ray.cluster_utils import Cluster

    settings = {"num_cpus": 1, "object_store_memory": 80 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args={**settings, "include_dashboard": False})
    try:
        for _ in range(nodes - 1):
            cluster.add_node(**settings)
        pids = [
            each.process.pid
            for node in cluster.list_all_nodes()
            for processes in node.all_processes.values()
            for each in processes
        ]
        yield cluster.address, pids
    finally:
        cluster.shutdown()
