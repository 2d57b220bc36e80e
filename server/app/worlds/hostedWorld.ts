import type { Server } from "node:http";
import { listenAtPort, listenHttp } from "#server/app/listen.ts";
import { openRecording } from "#server/market/replay/openRecording.ts";
import type { Config } from "#server/platform/config/config.ts";
import type { WorldEntry } from "#server/platform/worlds/directory.ts";
import { type ServedWorld, serveWorld, type WorldHost } from "./servedWorld.ts";
import { createWakeOnRequest } from "./wakeOnRequest.ts";
import { configOfEntry, getDomain } from "./worldAddress.ts";

/** The host's services for a world. */
interface HostDeps {
  host: WorldHost;
  program: Config;
  /** Writes the world's state to the directory. */
  setState: (state: WorldEntry["state"]) => Promise<void>;
  /** A world that opened has no operator yet: the code that makes the first. */
  onFirstCode: (world: ServedWorld, code: string) => void;
  /** Throws if no other world may be awake. */
  requireRoom: () => void;
}

/** A world of the directory in this process: open, asleep, or neither. */
export interface HostedWorld {
  openWorld(): ServedWorld | null;
  /** The server that answers its requests now; null if none does. */
  server(): Server | null;
  /** Real time of this process (`performance.now`) at which it was last opened. */
  openedMs(): number;
  /** Opens it; does nothing if it is open. */
  open(): Promise<void>;
  /** Has the next request open it; does nothing unless it is closed. */
  listenForWake(): Promise<void>;
  /** Opens it if it is asleep and says so in the directory; returns its server. */
  wake(): Promise<Server>;
  /**
   * Closes it until the next request if it had no request for `quietMs`, no socket is open and
   * nothing of it runs; whether it did.
   */
  fallAsleep(quietMs: number): Promise<boolean>;
  closeWeb(): Promise<void>;
  close(): Promise<void>;
}

export function createHostedWorld(entry: WorldEntry, deps: HostDeps): HostedWorld {
  const { host, program, setState, requireRoom, onFirstCode } = deps;
  const config = configOfEntry(program, entry);
  const hasPort = getDomain(program) === null;
  let served: ServedWorld | null = null;
  let wakeServer: Server | null = null;
  let sleptBefore = entry.state === "asleep";
  let openedMs = 0;
  let usedMs = 0;
  let turn: Promise<unknown> = Promise.resolve();
  /** One change after another: a request may come while it falls asleep. */
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const task = turn.then(work);
    turn = task.catch(() => {});
    return task;
  };

  const openNow = async (): Promise<ServedWorld> => {
    if (served) return served;
    const recording = await openRecording(config);
    const world = await serveWorld(host, config, { recording, isFirst: false, sleptBefore });
    try {
      const { app } = world;
      for (const event of ["request", "upgrade"])
        app?.server.prependListener(event, () => {
          usedMs = performance.now();
        });
      wakeServer?.close();
      wakeServer = null;
      if (app && hasPort) await listenAtPort(app, config);
    } catch (error) {
      await world.stop();
      throw error;
    }
    openedMs = performance.now();
    usedMs = openedMs;
    served = world;
    sleptBefore = false;
    const code = world.app && (await world.services.operator.firstCode());
    if (code) onFirstCode(world, code);
    return world;
  };

  const listenForWakeNow = async (): Promise<void> => {
    if (wakeServer || !config.services.includes("web")) return;
    const wakeOnRequest = createWakeOnRequest(config, host.connections.messages, wake);
    if (hasPort) await listenHttp(wakeOnRequest, config);
    wakeServer = wakeOnRequest;
  };

  const wake = (): Promise<Server> =>
    inTurn(async () => {
      if (served) return getServer(served);
      try {
        requireRoom();
        const [world] = await Promise.all([openNow(), setState("awake")]);
        return getServer(world);
      } catch (error) {
        host.connections.logger.error({ err: error, world: entry.name }, "a world did not wake");
        throw error;
      }
    });

  const stopNow = async (): Promise<void> => {
    const world = served;
    served = null;
    await world?.stop();
  };

  const hasNoVisitors = ({ app }: ServedWorld, quietMs: number): boolean =>
    (app?.websocketServer?.clients.size ?? 0) === 0 && performance.now() - usedMs >= quietMs;
  const hasNoPendingWork = async (world: ServedWorld): Promise<boolean> =>
    Object.keys(await world.keptAwakeBy()).length === 0;

  /** After its web server was closed. */
  const sleepIfIdle = async (world: ServedWorld): Promise<boolean> => {
    await listenForWakeNow();
    if (!(await hasNoPendingWork(world))) {
      await reopen();
      return false;
    }
    await setState("asleep");
    sleptBefore = true;
    await stopNow();
    return true;
  };
  /** A world whose web server is closed answers no request; one that is stopped stays so. */
  const reopen = async (): Promise<void> => {
    if (!served) return;
    try {
      await stopNow();
    } finally {
      await openNow();
    }
  };

  return {
    openWorld: () => served,
    server: () => wakeServer ?? served?.app?.server ?? null,
    openedMs: () => openedMs,
    open: () => inTurn(async () => void (await openNow())),
    listenForWake: () => inTurn(async () => void (served || (await listenForWakeNow()))),
    wake,
    fallAsleep: (quietMs) =>
      inTurn(async () => {
        if (!served || served.isLive || !hasNoVisitors(served, quietMs)) return false;
        if (!(await hasNoPendingWork(served)) || !hasNoVisitors(served, quietMs)) return false;
        // From here on requests wait for their turn.
        await served.app?.close();
        try {
          return await sleepIfIdle(served);
        } catch (error) {
          await reopen();
          throw error;
        }
      }),
    closeWeb: async () => {
      wakeServer?.close();
      await served?.app?.close();
    },
    close: () =>
      inTurn(async () => {
        wakeServer?.close();
        wakeServer = null;
        await stopNow();
      }),
  };
}

function getServer({ app, config }: ServedWorld): Server {
  if (!app) throw new Error(`the world ${config.world} has no web service here`);
  return app.server;
}
