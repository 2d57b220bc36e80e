import { setTimeout as sleep } from "node:timers/promises";
import { type Config, serviceNames } from "#server/platform/config/config.ts";
import { withPurpose } from "#server/platform/db/pools.ts";
import {
  openDirectory,
  openSharedDirectory,
  requireAwakeCapacity,
  requireAwakeRoom,
  type WorldEntry,
} from "#server/platform/worlds/directory.ts";
import { createHostedWorld, type HostedWorld } from "./hostedWorld.ts";
import { noticeMs, notifyPeople } from "./removal.ts";
import type { ServedWorld, WorldHost } from "./servedWorld.ts";

/** The worlds of the directory that this process hosts besides the main one. */
export interface HostedWorlds {
  /** The directory as last read. */
  entries(): readonly WorldEntry[];
  find(name: string): HostedWorld | null;
  /** The open worlds. */
  open(): ServedWorld[];
  /** Closes the web servers of all hosted worlds. */
  closeWeb(): Promise<void>;
  stop(): Promise<void>;
}

/** Real time between two polls of the directory. */
const pollEveryMs = 2_000;
/** Delay before a world that failed to open is retried; doubled each time. */
const retryMinMs = 2_000;
const retryMaxMs = 60_000;
/** Minimum quiet time before even a command puts a world to sleep. */
const quietMinMs = 1_000;
/** A sleeping world is opened at least this often, so that data is deleted on time. */
const sleepMaxMs = 86_400_000;

/**
 * Follows the directory: opens worlds one after another, closes those that should no longer be
 * served, and puts unused ones to sleep. A world that fails to open is reported and retried without
 * affecting the others.
 */
export function followDirectory(
  host: WorldHost,
  program: Config,
  onFirstCode: (world: ServedWorld, code: string) => void,
): HostedWorlds {
  const { logger, database, urls, realClock, messages } = host.connections;
  const directory = openSharedDirectory(database);
  const hosted = new Map<string, HostedWorld>();
  const failures = new Map<string, { afterMs: number; retryMs: number }>();
  const stopping = new AbortController();
  const { signal } = stopping;
  let entries: readonly WorldEntry[] = [];
  const servesAll = serviceNames.every((name) => program.services.includes(name));
  // Only a program that is alone on its database knows whether a person is in a world.
  let isAlone = false;
  const readIsAlone = async (): Promise<boolean> =>
    servesAll && (program.databaseUrl === null || (await directory.countPrograms()) === 1);

  const setState = async (name: string, state: WorldEntry["state"]): Promise<void> => {
    await withPurpose("jobs", () => directory.setState(name, state));
    entries = entries.map((worldEntry) =>
      worldEntry.name === name ? { ...worldEntry, state } : worldEntry,
    );
    logger.info({ world: name, state }, "the state of a world changed");
  };

  const createHosted = (entry: WorldEntry): HostedWorld => {
    const existing = hosted.get(entry.name);
    if (existing) return existing;
    const hostedWorld = createHostedWorld(entry, {
      host,
      program,
      setState: (state) => setState(entry.name, state),
      requireRoom: () => requireAwakeRoom(entries, program.awakeMax),
      onFirstCode,
    });
    hosted.set(entry.name, hostedWorld);
    return hostedWorld;
  };

  /** Without the main world. */
  const listOpen = (): ServedWorld[] =>
    [...hosted.values()].flatMap((world) => world.openWorld() ?? []);

  const open = async ({ name }: WorldEntry, world: HostedWorld): Promise<void> => {
    const failure = failures.get(name);
    if (failure && performance.now() < failure.afterMs) return;
    try {
      // The directory may have been filled under a higher limit.
      if (!world.openWorld()) requireAwakeCapacity(1 + listOpen().length, program.awakeMax);
      await world.open();
      failures.delete(name);
    } catch (error) {
      const retryMs = Math.min(retryMaxMs, (failure?.retryMs ?? retryMinMs / 2) * 2);
      failures.set(name, { afterMs: performance.now() + retryMs, retryMs });
      logger.error({ err: error, world: name, retryMs }, "a world did not open; trying again");
    }
  };

  const close = async (name: string): Promise<void> => {
    const world = hosted.get(name);
    hosted.delete(name);
    await world?.close().catch((error) => {
      logger.error({ err: error, world: name }, "a world did not close as it should");
    });
  };

  /** Only once: a world already under notice has a date. */
  const notify = async ({ name, removalAsked, removeAfterMs }: WorldEntry, world: HostedWorld) => {
    const servedWorld = world.openWorld();
    if (!removalAsked || removeAfterMs !== null || !servedWorld) return;
    const owned = await openDirectory(urls);
    try {
      await notifyPeople(servedWorld, messages, realClock.nowMs() + noticeMs);
      await owned.noteNotice(name, noticeMs);
    } finally {
      await owned.close();
    }
  };

  const applyEntry = async (entry: WorldEntry, readMs: number): Promise<void> => {
    const world = createHosted(entry);
    if (entry.state === "awake") {
      await open(entry, world);
      await notify(entry, world);
      if (isAlone && program.sleepAfterMs !== null) await world.fallAsleep(program.sleepAfterMs);
      return;
    }
    // A request may have woken it since the directory was read.
    if (world.openWorld() && world.openedMs() < readMs) {
      const isAsleep = isAlone && (await world.fallAsleep(quietMinMs));
      if (!isAsleep) await setState(entry.name, "awake");
      return;
    }
    await world.listenForWake();
    const sleptMs = realClock.nowMs() - (entry.sleptAtMs ?? 0);
    if (isAlone && sleptMs >= sleepMaxMs) await world.wake();
  };

  const sync = async (): Promise<void> => {
    const readMs = performance.now();
    entries = await withPurpose("jobs", () => directory.list());
    isAlone = await withPurpose("jobs", readIsAlone);
    const worldEntries = entries.filter(({ state, port }) => state !== "archived" && port !== null);
    for (const name of hosted.keys())
      if (!worldEntries.some((entry) => entry.name === name)) await close(name);
    for (const entry of worldEntries) {
      if (signal.aborted) return;
      await applyEntry(entry, readMs).catch((error) => {
        logger.error({ err: error, world: entry.name }, "a world could not be looked after");
      });
    }
  };

  const loop = (async () => {
    while (!signal.aborted) {
      await sync().catch((error) => {
        if (!signal.aborted) logger.error({ err: error }, "the directory could not be read");
      });
      await sleep(pollEveryMs, undefined, { signal }).catch(() => {});
    }
  })();

  return {
    entries: () => entries,
    find: (name) => hosted.get(name) ?? null,
    open: listOpen,
    closeWeb: async () => {
      stopping.abort();
      await loop;
      await Promise.all([...hosted.values()].map((world) => world.closeWeb()));
    },
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.all([...hosted.keys()].map(close));
    },
  };
}
