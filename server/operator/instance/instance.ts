import type { AnswerOf } from "#api/call.ts";
import type { getSettings, InstanceHistory, InstanceView } from "#api/operator/instance.ts";
import { exposureCap } from "#core/contracts/exposure.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { readLimitsUsed } from "#server/ledger/limits.ts";
import type { Market } from "#server/market/market.ts";
import type { Audit } from "#server/operator/audit/audit.ts";
import {
  createGaps,
  type HourGaps,
  readGapSums,
  readMarket,
  readWorldLeaf,
} from "#server/operator/instance/market.ts";
import { recordRuns } from "#server/operator/instance/runs.ts";
import { readSamples, takeSample } from "#server/operator/instance/samples.ts";
import {
  type ChatLink,
  describeEnvironment,
  readChatLink,
} from "#server/operator/instance/settings.ts";
import {
  readBefore,
  readDisk,
  readProcesses,
  readSizes,
} from "#server/operator/instance/storage.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { Job } from "#server/platform/jobs.ts";
import { createTtlCache } from "#server/platform/ttlCache.ts";
import type { TransparencyLog } from "#server/transparency-log/transparencyLog.ts";
import { readJobs } from "./jobStates.ts";
import { readAudit, readLog, readTrialBalance } from "./ledger.ts";
import { countUsage, readUsageDays, type UsageDeps } from "./usage.ts";

/** Other domains' reports about themselves. Keys are those of limit rows. */
export interface InstanceDeps extends UsageDeps {
  version: string;
  market: Market;
  transparencyLog: TransparencyLog;
  operator: {
    audit: Audit;
    nameOf(operatorId: string): Promise<string | null>;
  };
  contracts: UsageDeps["contracts"] & {
    isEnabled(): Promise<boolean>;
    exposures(): Promise<{ contractId: string; symbol: string; key: string }[]>;
  };
  mining: {
    stocks(): Promise<{ productId: string; stock: number; key: string; sold: boolean }[]>;
  };
  hosting: { standings(): Promise<InstanceView["pools"]> };
  session: UsageDeps["session"] & {
    signUp: { read(): Promise<AnswerOf<typeof getSettings>["sign_up"]> };
  };
}

export interface Instance {
  jobs: readonly Job[];
  view(): Promise<InstanceView>;
  history(): Promise<InstanceHistory>;
  settings(): Promise<AnswerOf<typeof getSettings>>;
  /**
   * The link that online service opens; may be stale by as long as other processes may take to
   * notice.
   */
  chatLink(): Promise<string | null>;
  /** Call after it was changed here. */
  invalidateChatLink(): void;
  /** Samples and counts now, as the job does each minute. */
  measure(): Promise<void>;
  stop(): Promise<void>;
}

/** Maximum age of figures that read more than a few rows, in real time. */
const answerTtlMs = 10_000;
const chatLinkTtlMs = 2_000;
const changesShown = 20;

const pusdt = (value: bigint) => formatDecimal(value, coinScale("pUSDT"));

/** The state of the instance for its operators. Registers the job `instance.measure`. */
export function createInstance(ctx: AppContext, deps: InstanceDeps): Instance {
  const { database, realClock, config, world } = ctx;
  const { db } = database;
  const { market, transparencyLog } = deps;
  const runs = recordRuns(ctx, deps.version);
  const worldLeaf = readWorldLeaf(transparencyLog);
  const cached = <Value>(readValue: () => Promise<Value>, ttlMs = answerTtlMs) => {
    const memory = createTtlCache<"", Value>(readValue, {
      ttlMs,
      clock: realClock,
      shouldCache: () => true,
    });
    return { get: () => memory.get(""), invalidate: () => memory.invalidate() };
  };
  const trial = cached(() => readTrialBalance(db));
  const countGaps = createGaps(ctx);
  const gaps = cached<HourGaps[]>(async () => countGaps(await market.firstSecondMs()));
  const sizes = cached(() => readSizes(ctx));
  const chatLink = cached<ChatLink>(() => readChatLink(db, config), chatLinkTtlMs);
  const measure = async () => {
    await runs.write();
    await takeSample(ctx, { feedLagMs: market.lagMs(), logLagMs: await transparencyLog.lagMs() });
    await countUsage(ctx, deps);
  };
  return {
    jobs: [{ name: "instance.measure", everySeconds: 60, run: measure }] satisfies readonly Job[],
    measure,
    chatLink: async () => (await chatLink.get()).link,
    invalidateChatLink: chatLink.invalidate,
    stop: () => runs.stop(),
    view: async () => {
      await runs.seen();
      const [now, books, storage] = await Promise.all([
        toMarketView(ctx, deps, await worldLeaf(), await gaps.get()),
        toLedgerView(ctx, deps, await trial.get()),
        toStorageView(ctx, await sizes.get()),
      ]);
      return {
        as_of_ms: realClock.nowMs(),
        world: await toWorldView(ctx, market),
        market: now,
        log: await readLog(transparencyLog, realClock.nowMs()),
        ...books,
        jobs: await readJobs(ctx),
        storage,
        processes: await readProcesses(ctx),
      };
    },
    history: async () => {
      const [use, samples, hours] = await Promise.all([
        readUsageDays(ctx),
        readSamples(ctx),
        gaps.get(),
      ]);
      return { as_of_ms: realClock.nowMs(), use, ...samples, gaps: hours };
    },
    settings: async () => {
      const [link, contractsOn, signUp, changes] = await Promise.all([
        readChatLink(db, config),
        deps.contracts.isEnabled(),
        deps.session.signUp.read(),
        readChanges(deps),
      ]);
      return {
        chat_link: link,
        contracts_on: contractsOn,
        sign_up: signUp,
        environment: describeEnvironment(config, world.market),
        changes,
      };
    },
  };
}

async function toWorldView(
  { world, clock }: AppContext,
  market: Market,
): Promise<InstanceView["world"]> {
  return {
    name: world.name,
    kind: world.market.kind,
    speed: world.market.speed,
    clock: clock.kind,
    now_ms: clock.nowMs(),
    first_second_ms: await market.firstSecondMs(),
    paused: hasEnded(clock),
    end_ms: clock.endMs,
  };
}

async function toMarketView(
  ctx: AppContext,
  { market }: InstanceDeps,
  leaf: Parameters<typeof readMarket>[2],
  byHour: readonly HourGaps[],
): Promise<InstanceView["market"]> {
  const [now, gaps] = await Promise.all([
    readMarket(ctx, market, leaf),
    readGapSums(ctx, await market.firstSecondMs(), byHour),
  ]);
  return { ...now, gaps };
}

async function toLedgerView(
  { database }: AppContext,
  deps: InstanceDeps,
  trial: Awaited<ReturnType<typeof readTrialBalance>>,
): Promise<Pick<InstanceView, "ledger" | "exposure" | "machines" | "pools">> {
  const [audit, contracts, machines, pools] = await Promise.all([
    readAudit(database.db),
    deps.contracts.exposures(),
    deps.mining.stocks(),
    deps.hosting.standings(),
  ]);
  const keys = [...contracts, ...machines].map(({ key }) => key);
  const usedByKey = await readLimitsUsed(database.db, keys);
  return {
    ledger: { ...trial, ...audit },
    exposure: contracts.map(({ contractId, symbol, key }) => ({
      contract_id: contractId,
      symbol: symbol as InstanceView["exposure"][number]["symbol"],
      used: pusdt(usedByKey.get(key) ?? 0n),
      cap: pusdt(exposureCap),
    })),
    machines: machines.map(({ productId, stock, key, sold }) => ({
      product_id: productId,
      stock,
      leased: Number(usedByKey.get(key) ?? 0n),
      sold,
    })),
    pools,
  };
}

async function toStorageView(
  ctx: AppContext,
  sizes: Awaited<ReturnType<typeof readSizes>>,
): Promise<InstanceView["storage"]> {
  const [disk, before] = await Promise.all([readDisk(ctx.config.dataDirectory), readBefore(ctx)]);
  return {
    ...sizes,
    disk_free_bytes: disk?.freeBytes ?? null,
    disk_total_bytes: disk?.totalBytes ?? null,
    before,
  };
}

/** Audit events that change a setting or a switch. */
const changeEvents = [
  "settings",
  "class.contracts_on",
  "class.contracts_off",
  "class.sign_up_changed",
];

/** Newest first, with who made them. */
async function readChanges(deps: InstanceDeps) {
  const parts = await Promise.all(
    changeEvents.map((eventName) =>
      deps.operator.audit.page(
        { what: eventName },
        { before: Number.MAX_SAFE_INTEGER, limit: changesShown, skip: 0 },
      ),
    ),
  );
  const entries = parts.flat().toSorted((a, b) => b.seq - a.seq);
  return Promise.all(
    entries.slice(0, changesShown).map(async ({ seq, atMs, what, operatorId }) => ({
      seq,
      at_ms: atMs,
      what,
      operator_id: operatorId,
      name: await deps.operator.nameOf(operatorId),
    })),
  );
}
