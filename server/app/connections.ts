import type { Bus, Outage } from "#server/platform/bus/bus.ts";
import { type Channel, createLinkedBus } from "#server/platform/bus/linkedBus.ts";
import { busName, childBusName } from "#server/platform/bus/programs.ts";
import { type BusConnection, openBusConnection } from "#server/platform/bus/sharedBus.ts";
import { type DatabaseClock, startDatabaseClock } from "#server/platform/clock/databaseClock.ts";
import type { Config } from "#server/platform/config/config.ts";
import { openSharedDatabase, type SharedDatabase } from "#server/platform/db/database.ts";
import { type LockConnection, openLockConnection } from "#server/platform/db/locks.ts";
import { createMessages, type Messages } from "#server/platform/http/language.ts";
import {
  createNetworkLimits,
  type NetworkLimits,
} from "#server/platform/http/limits/requestLimits.ts";
import { createLogger, type Logger } from "#server/platform/logger.ts";
import type { StoppablePart } from "#server/platform/stopAll.ts";

/**
 * Connects a bus to the bus of another process of this program; returns a function that disconnects
 * it.
 */
export type LinkBus = (channel: Channel) => () => void;

/** A world's bus in this process. */
interface WorldBus {
  bus: Bus;
  linkBus: LinkBus;
  close(): Promise<void>;
}

/**
 * The resources shared by the worlds of a process. Further worlds need no further connections, and
 * no further copy of the texts of eight languages in memory.
 */
export interface Connections {
  readonly urls: { owner: string; app: string };
  readonly realClock: DatabaseClock;
  readonly database: SharedDatabase;
  readonly locks: LockConnection;
  readonly logger: Logger;
  readonly messages: Messages;
  readonly networkLimits: NetworkLimits;
  openBus(schema: string): Promise<WorldBus>;
}

/**
 * Opens the connections and pushes everything that must be closed to `stops`. `givenOffsetMs` is
 * the clock offset of the process that started this one.
 */
export async function openConnections(
  config: Pick<Config, "logLevel" | "databaseUrl">,
  urls: Connections["urls"],
  stops: StoppablePart[],
  givenOffsetMs: number | null = null,
): Promise<Connections> {
  const logger = createLogger(config.logLevel);
  const realClock = await startDatabaseClock(urls.app, logger, givenOffsetMs);
  stops.push({ what: "the clock", stop: () => realClock.close() });
  const database = openSharedDatabase({ url: urls.app });
  stops.push({ what: "the database connections", stop: () => database.close() });
  const stopping = new AbortController();
  const locks = openLockConnection({ url: urls.app, logger, stopping: stopping.signal });
  stops.push({
    what: "the connection that holds the locks",
    stop: () => {
      stopping.abort();
      return locks.close();
    },
  });
  const onError = (error: unknown) =>
    logger.error(
      { err: error },
      "the bus or one of its listeners failed; a lost connection is reported once",
    );
  const name = givenOffsetMs === null ? busName : childBusName;
  const buses =
    config.databaseUrl === null ? null : await openBuses(urls.app, logger, onError, name);
  if (buses) stops.push({ what: "the bus", stop: () => buses.close() });
  const openBus = async (schema: string): Promise<WorldBus> => {
    if (buses === null) {
      const bus = createLinkedBus(onError);
      return { bus, linkBus: (channel) => bus.link(channel), close: async () => {} };
    }
    const bus = await buses.open(schema);
    return { bus, linkBus: () => () => {}, close: () => bus.close() };
  };
  const messages = createMessages();
  const networkLimits = createNetworkLimits(realClock);
  return { urls, realClock, database, locks, logger, messages, networkLimits, openBus };
}

/**
 * The embedded database serves one program, whose processes are linked; an external one may serve
 * several, which share a bus through it.
 */
function openBuses(
  url: string,
  logger: Logger,
  onError: (error: unknown) => void,
  name: string,
): Promise<BusConnection> {
  const onReconnect = (outage: Outage) =>
    logger.warn(outage, "the bus reconnected; reading all state again");
  return openBusConnection({ url, onError, onReconnect, name });
}
