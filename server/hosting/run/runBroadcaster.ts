import type { Run } from "#api/hosting/run.ts";
import type { HostingDeps } from "#server/hosting/types.ts";
import type { AppContext } from "#server/platform/context.ts";

/** Slightly under a second, so that a second's own message is never the one dropped. */
const broadcastMs = 900;

/**
 * Caches what strategies saw last and broadcasts it to watchers, at most one message per pool and
 * real second.
 */
export function createRunBroadcaster({ bus, realClock }: AppContext, { hub }: HostingDeps) {
  const latest = new Map<string, string>();
  const sentMs = new Map<string, number>();
  bus.subscribe("hosting.run", ({ poolId, text }) => {
    latest.set(poolId, text);
    const nowMs = realClock.nowMs();
    // Absolute difference: a clock that was set back must not silence the stream.
    const sinceMs = Math.abs(nowMs - (sentMs.get(poolId) ?? Number.NEGATIVE_INFINITY));
    if (!hub || sinceMs < broadcastMs || !hub.watched("runs").includes(poolId)) return;
    sentMs.set(poolId, nowMs);
    hub.toWatchers("runs", poolId, `{"topic":"run","run":${text}}`);
  });
  return {
    latest: (poolId: string): Run | null => {
      const text = latest.get(poolId);
      return text === undefined ? null : JSON.parse(text);
    },
  };
}
