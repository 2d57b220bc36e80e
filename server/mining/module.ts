import type { Recording } from "#server/market/replay/recording.ts";
import { countOpenLeases, readOpenLeases } from "#server/mining/attemptHooks.ts";
import { bindLeases } from "#server/mining/binding.ts";
import { createMining } from "#server/mining/mining.ts";
import { miningPersonalData } from "#server/mining/personalData.ts";
import { miningRoutes } from "#server/mining/routes.ts";
import { createRecordedNetwork } from "#server/mining/source.ts";
import { checkStock } from "#server/mining/stockCheck.ts";
import type { MiningDeps } from "#server/mining/types.ts";
import { defineModule } from "#server/module/module.ts";
import { toPage, toSlice } from "#server/platform/http/pagination.ts";

interface MiningModuleDeps extends MiningDeps {
  /** The recording the world replays; without blocks in it the network is simulated. */
  recording: Recording | null;
}

export const miningModule = defineModule<MiningModuleDeps>()({
  name: "mining",
  needs: ["ledger", "transparencyLog", "market", "session", "listings", "hub", "recording"],
  create: (ctx, { recording, ...deps }) => {
    const { db } = ctx.database;
    const network = recording?.network ? createRecordedNetwork(recording.network) : undefined;
    const service = createMining(ctx, deps, network);
    return {
      service,
      routes: (app) => miningRoutes(app, service),
      jobs: service.jobs,
      personalData: [miningPersonalData(ctx)],
      onSecond: { beforeAppend: bindLeases },
      keepsAwake: { "open leases": () => countOpenLeases(db) },
      records: {
        prefix: "mining",
        explain: service.explain,
        orders: service.ordersOf,
        inLine: async (attemptId, moments) => {
          const unworkedAmounts = await service.unworked(attemptId, moments);
          return unworkedAmounts.map((amount) => new Map([["pUSDT", amount]]));
        },
      },
      attempts: {
        running: { product: "mining", read: (attemptIds) => readOpenLeases(db, attemptIds) },
      },
      auditChecks: { mining: checkStock },
      personPages: {
        leases: async ({ userId }, page) => {
          const filter = { status: null, ...toSlice(page) };
          const { items, first } = await service.leases(userId, filter);
          return toPage(page, items, first);
        },
      },
      prepare: service.prepare,
    };
  },
});
