import { setTimeout as sleep } from "node:timers/promises";
import { listenAt } from "#server/app/listen.ts";
import { type ServedWorld, serveWorld, type WorldHost } from "#server/app/servedWorld.ts";
import { configOfEntry, domainOf } from "#server/app/worldAddress.ts";
import { openRecording } from "#server/market/replay/openRecording.ts";
import type { Config } from "#server/platform/config/config.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import { createDirectoryReader, type WorldEntry } from "#server/platform/worlds/directory.ts";

/** The worlds of the directory that this process serves besides the main one. */
export interface HostedWorlds {
  /** The directory as it was read last. */
  entries(): readonly WorldEntry[];
  find(name: string): ServedWorld | null;
  all(): ServedWorld[];
  /** Closes their web servers. */
  closeWeb(): Promise<void>;
  stop(): Promise<void>;
}

/** Real time between two looks at the directory. */
const lookEveryMs = 2_000;
/** Before a world that did not open is tried again: doubled each time. */
const againMinMs = 2_000;
const againMaxMs = 60_000;

/**
 * Follows the directory: opens worlds one after another, and closes those that are no longer to be
 * served. A world that does not open is reported and tried again; the others go on.
 */
export function hostWorlds(host: WorldHost, program: Config): HostedWorlds {
  const { logger, database } = host.connections;
  const readDirectory = createDirectoryReader(database);
  const served = new Map<string, ServedWorld>();
  const failures = new Map<string, { afterMs: number; retryMs: number }>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let entries: readonly WorldEntry[] = [];

  const open = async (entry: WorldEntry): Promise<void> => {
    const { name } = entry;
    const failed = failures.get(name);
    if (failed && performance.now() < failed.afterMs) return;
    try {
      const config = configOfEntry(program, entry);
      const world = await serveWorld(host, config, await openRecording(config), false);
      try {
        if (world.app && domainOf(program) === null) await listenAt(world.app, config);
      } catch (error) {
        await world.stop();
        throw error;
      }
      served.set(name, world);
      failures.delete(name);
      logger.info({ world: name, port: entry.port }, "a world opened");
    } catch (error) {
      const retryMs = Math.min(againMaxMs, (failed?.retryMs ?? againMinMs / 2) * 2);
      failures.set(name, { afterMs: performance.now() + retryMs, retryMs });
      logger.error({ err: error, world: name, retryMs }, "a world did not open; trying again");
    }
  };

  const close = async (name: string): Promise<void> => {
    const world = served.get(name);
    served.delete(name);
    await world?.stop().catch((error) => {
      logger.error({ err: error, world: name }, "a world did not close as it should");
    });
  };

  const look = async (): Promise<void> => {
    entries = await withPurpose("jobs", readDirectory);
    const wanted = entries.filter(({ state, port }) => state === "awake" && port !== null);
    for (const name of served.keys())
      if (!wanted.some((entry) => entry.name === name)) await close(name);
    for (const entry of wanted) {
      if (signal.aborted) return;
      if (!served.has(entry.name)) await open(entry);
    }
  };

  const running = (async () => {
    while (!signal.aborted) {
      await look().catch((error) => {
        if (!signal.aborted) logger.error({ err: error }, "the directory could not be read");
      });
      await sleep(lookEveryMs, undefined, { signal }).catch(() => {});
    }
  })();

  return {
    entries: () => entries,
    find: (name) => served.get(name) ?? null,
    all: () => [...served.values()],
    closeWeb: async () => {
      stopping.abort();
      await running;
      await Promise.all([...served.values()].map(async ({ app }) => app?.close()));
    },
    stop: async () => {
      stopping.abort();
      await running;
      await Promise.all([...served.keys()].map(close));
    },
  };
}
