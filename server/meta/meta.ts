import type { AnswerOf } from "#api/call.ts";
import type { getConfig } from "#api/meta.ts";
import type { Locale } from "#core/locales.ts";
import { symbols } from "#core/market/symbols.ts";
import { coins } from "#core/money/coins.ts";
import { type ClientError, purgeErrors, storeError } from "#server/meta/errorLog.ts";
import {
  createDatabaseCheck,
  createWaitChecks,
  type Health,
  readHealth,
} from "#server/meta/health.ts";
import { hasEnded } from "#server/platform/clock/clock.ts";
import { toPauseView } from "#server/platform/clock/pauses.ts";
import type { AppContext } from "#server/platform/context.ts";
import type { HealthCheck } from "#server/platform/health.ts";
import type { Job } from "#server/platform/jobs.ts";
import { buildPracticeTerms, type Terms, termsVersion } from "#server/platform/terms.ts";

/** Other domains' contributions to the first screen. */
export interface MetaDeps {
  version: string;
  /** The page that online service opens; null when there is none. */
  instance: { chatLink(): Promise<string | null> };
  /** World time of the first closed second; null before it. */
  market: { firstSecondMs(): Promise<number | null> };
  /** The log's origin and its keys, newest first. */
  transparencyLog: { identity(): Promise<{ origin: string; keys: readonly { vkey: string }[] }> };
  contracts: {
    isEnabled(): Promise<boolean>;
    /** Totals over all orders of this instance. */
    counts(): Promise<{ settled: number; lost: number }>;
  };
  hosting: {
    /**
     * People's total in hosting pools (decimal pUSDT) and its change today; null before the first
     * mark.
     */
    totals(): Promise<{ hosted: string | null; changeBp: number | null }>;
  };
  /** Total of all leased machines at work, decimal TH/s. */
  mining: { hashrateAtWork(): Promise<string> };
  contributions: { readonly health: readonly Readonly<Record<string, HealthCheck>>[] };
}

export interface Meta {
  config(socketUrl: string): Promise<Omit<AnswerOf<typeof getConfig>, "signed_in">>;
  terms(language: Locale): Terms;
  /** `isOfShare`: one of the first of its network. */
  reportError(error: ClientError, isOfShare: boolean): Promise<void>;
  health(): Promise<Health>;
  jobs: readonly Job[];
}

/**
 * Start-up configuration, practice terms, the error log and readiness. Registers the daily purge of
 * the error log.
 */
export function createMeta(ctx: AppContext, deps: MetaDeps): Meta {
  const { config, world, clock, realClock, database, messages } = ctx;
  return {
    jobs: [
      {
        name: "meta.purge_errors",
        everySeconds: 600,
        run: () => purgeErrors(database.db, realClock.nowMs()),
      },
    ] satisfies readonly Job[],
    config: async (socketUrl) => {
      const [firstSecondMs, log, contractsOn, orders, hosting, hashrate, chatLink] =
        await Promise.all([
          deps.market.firstSecondMs(),
          deps.transparencyLog.identity(),
          deps.contracts.isEnabled(),
          deps.contracts.counts(),
          deps.hosting.totals(),
          deps.mining.hashrateAtWork(),
          deps.instance.chatLink(),
        ]);
      return {
        practice: true,
        backing: "none",
        chatLink,
        socket_url: socketUrl,
        world: {
          name: world.name,
          market: world.market,
          now_ms: clock.nowMs(),
          first_second_ms: firstSecondMs,
          paused: hasEnded(clock),
          pause: toPauseView(clock),
          archive: null,
        },
        operator: config.operator,
        terms: { version: termsVersion },
        coins: Object.entries(coins).map(([code, { scale }]) => ({
          code: code as keyof typeof coins,
          scale,
        })),
        symbols: world.symbols.map((name) => ({ name, ...symbols[name] })),
        contracts_on: contractsOn,
        log: { origin: log.origin, vkey: log.keys[0]!.vkey },
        home: {
          pool: {
            hosted_total: hosting.hosted,
            nav_change_today_bp: hosting.changeBp,
            hashrate_at_work: hashrate,
            orders_settled: orders.settled,
            orders_lost: orders.lost,
          },
        },
      };
    },
    terms: (language) => buildPracticeTerms(messages, language, config.operator),
    reportError: (error, isOfShare) => {
      const about = { version: deps.version, nowMs: realClock.nowMs(), isOfShare };
      return storeError(database.db, error, about);
    },
    health: () =>
      readHealth(deps.version, {
        database: createDatabaseCheck(ctx),
        clock: ctx.clockHealth,
        ...createWaitChecks(ctx),
        ...Object.assign({}, ...deps.contributions.health),
      }),
  };
}
