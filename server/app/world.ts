import { readFileSync } from "node:fs";
import { join } from "node:path";
import { lagCheck } from "#server/index/health.ts";
import { createIndex, type Index } from "#server/index/index.ts";
import type { SessionResolver } from "#server/platform/http/session.ts";
import type { StreamHub } from "#server/platform/http/stream.ts";
import { createLog, type Log } from "#server/platform/log/log.ts";
import type { Parts } from "#server/platform/parts.ts";

/** Every domain of one world, wired to each other. */
export interface WorldServices {
  version: string;
  index: Index;
  log: Log;
  resolveSession: SessionResolver;
  /** What pushes to sockets learns where they are. */
  connect(hub: StreamHub): void;
  /** What has to be there before the loops start: the first leaf, the seed. */
  begin(): Promise<void>;
  stop(): Promise<void>;
}

export async function createWorldServices(parts: Parts, _ownerUrl: string): Promise<WorldServices> {
  const version = readVersion();
  const log = createLog(parts);
  const index = createIndex(parts, {
    version,
    firstSecondMs: async () => null,
    logIdentity: async () => {
      const { origin, keys } = await log.identity();
      return { origin, vkey: keys[0]!.vkey };
    },
    contractsOn: () => true,
    orders: async () => ({ settled: 0, lost: 0 }),
    health: { log: lagCheck(() => log.lagMs()) },
  });
  return {
    version,
    index,
    log,
    resolveSession: async () => null,
    connect: () => {},
    begin: async () => {},
    stop: async () => {},
  };
}

function readVersion(): string {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
