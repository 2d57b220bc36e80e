import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { MarketSymbol } from "#core/market/symbols.ts";
import type { ListedSymbol } from "#core/transparency-log/worldLeaf.ts";
import { createLocalBus } from "#server/platform/bus/bus.ts";
import {
  createDrivenClock,
  type DrivenClock,
  type RealClock,
} from "#server/platform/clock/clock.ts";
import { followPauses } from "#server/platform/clock/pauses.ts";
import { type Config, readConfig } from "#server/platform/config/config.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createFieldEncryption } from "#server/platform/crypto/fieldEncryption.ts";
import type { Database } from "#server/platform/db/database.ts";
import { createMessages } from "#server/platform/http/language.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { createLogger } from "#server/platform/logger.ts";
import { createSecurityLog } from "#server/platform/securityLog.ts";
import { openWorld, type RecordedMarket, simulatedListing } from "#server/platform/world.ts";
import { createTestDatabase } from "./database.ts";

/** Real time that a test moves. */
export interface SettableClock extends RealClock {
  setMs(atMs: number): void;
  advanceMs(ms: number): void;
}

export interface TestContext extends AppContext {
  clock: DrivenClock;
  realClock: SettableClock;
  /** As the role that owns the schema. */
  owner: Database;
  /**
   * The errors that listeners of the bus threw; a test of the bus may inspect it, otherwise
   * `destroy` throws the first.
   */
  busErrors: unknown[];
  /** The security events logged so far. */
  securityEvents: Record<string, unknown>[];
  destroy(): Promise<void>;
}

/** 2026-01-05 00:00:00 UTC, a Monday. */
export const testStartMs = Date.UTC(2026, 0, 5);

export function createSettableClock(startMs: number): SettableClock {
  let currentMs = startMs;
  return {
    nowMs: () => currentMs,
    setMs: (atMs) => {
      currentMs = atMs;
    },
    advanceMs: (ms) => {
      currentMs += ms;
    },
  };
}

/**
 * Everything a domain receives, on a fresh schema. Both clocks start at `startMs` and only move
 * when the test moves them. Jobs are registered but not started: `jobs.runNow(name)`, or
 * `jobs.start()` for loops.
 */
export async function createTestContext(
  options: {
    speed?: number;
    startMs?: number;
    config?: Partial<Config>;
    recording?: RecordedMarket | null;
    /**
     * The listing of a new simulated world: its symbols, and at which venues; as in production if
     * omitted.
     */
    symbols?: readonly MarketSymbol[];
    venues?: readonly string[];
  } = {},
): Promise<TestContext> {
  const recording = options.recording ?? null;
  const startMs = options.startMs ?? recording?.firstMs ?? testStartMs;
  const test = await createTestDatabase();
  const { database, owner, schema } = test;
  const config: Config = {
    ...readConfig({
      WORLD: "test-world",
      WORLD_CLOCK: "driven",
      WORLD_SPEED: String(options.speed ?? 1),
      DRYDOCK_DATA: join(tmpdir(), `drydock-${schema}`),
      LOG_LEVEL: process.env.LOG_LEVEL ?? "silent",
    }),
    ...options.config,
  };
  const realClock = createSettableClock(startMs);
  const { ownerUrl, appUrl } = inject("postgres");
  const { world, anchor } = await openWorld(
    ownerUrl,
    { ...config, worldStartMs: startMs },
    realClock,
    schema,
    recording,
    createListing(options),
  );
  const logger = createLogger(config.logLevel);
  const securityEvents: Record<string, unknown>[] = [];
  const eventLogger = createLogger("warn", {
    write: (line) => securityEvents.push(JSON.parse(line)),
  });
  const busErrors: unknown[] = [];
  const bus = createLocalBus((error) => busErrors.push(error));
  const jobs = createJobs({ database, url: appUrl, logger });
  const clock = createDrivenClock(startMs, anchor.endMs);
  const forgetPauses = await followPauses(clock, { database, bus, logger, isShared: false });
  return {
    config,
    world,
    database,
    owner,
    clock,
    realClock,
    clockHealth: async () => ({ ok: true, lag_ms: null, note: "set by the test" }),
    bus,
    fieldEncryption: createFieldEncryption({ config, bus, realClock }),
    jobs,
    messages: createMessages(),
    logger,
    securityLog: createSecurityLog(eventLogger, realClock),
    securityEvents,
    busErrors,
    destroy: async () => {
      forgetPauses();
      await jobs.stop();
      await test.destroy();
      rmSync(config.dataDirectory, { recursive: true, force: true });
      if (busErrors.length > 0) throw busErrors[0];
    },
  };
}

function createListing({
  symbols,
  venues,
}: {
  symbols?: readonly MarketSymbol[];
  venues?: readonly string[];
}): ListedSymbol[] {
  const chosenListing = simulatedListing.filter(
    ({ name }) => symbols?.some((symbol) => symbol === name) ?? true,
  );
  return chosenListing.map((listedSymbol) => ({
    ...listedSymbol,
    venues: venues ?? listedSymbol.venues,
  }));
}
