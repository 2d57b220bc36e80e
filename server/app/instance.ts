import { exposureCap } from "#core/contracts/terms.ts";
import { pusdt } from "#core/money/amount.ts";
import type { Contracts } from "#server/contracts/contracts.ts";
import { exposureKey } from "#server/contracts/placeOrder.ts";
import type { Hosting } from "#server/hosting/hosting.ts";
import { worthOf } from "#server/hosting/views.ts";
import type { Market } from "#server/market/market.ts";
import { stockKey } from "#server/mining/leasing.ts";
import type { Mining } from "#server/mining/mining.ts";
import { createInstance, type Instance } from "#server/operator/instance/instance.ts";
import type { OperatorService } from "#server/operator/operator.ts";
import type { Parts } from "#server/platform/context.ts";
import type { SessionService } from "#server/session/session.ts";
import type { Log } from "#server/transparency-log/transparencyLog.ts";

interface Needs {
  version: string;
  market: Market;
  log: Log;
  operator: OperatorService;
  session: SessionService;
  contracts: Contracts;
  hosting: Hosting;
  mining: Mining;
}

/** The state of the instance for its operators, with what every domain knows of itself. */
export function wireInstance(parts: Parts, needs: Needs): Instance {
  const { version, market, log, operator, session, contracts, hosting, mining } = needs;
  return createInstance(parts, {
    version,
    market,
    log,
    audit: operator.audit,
    nameOf: (operatorId) => operator.nameOf(operatorId),
    exposure: async () =>
      (await contracts.catalogue.all()).map(({ id, symbol }) => ({
        contractId: id,
        symbol,
        key: exposureKey(id),
      })),
    exposureView: (used) => ({ used: pusdt(used), cap: pusdt(exposureCap) }),
    stock: async () =>
      Promise.all(
        (await mining.catalogue.all()).map(async ({ productId, stock }) => ({
          productId,
          stock,
          key: stockKey(productId),
          sold: await mining.onShelf(productId),
        })),
      ),
    pools: async () =>
      (await hosting.pools.all()).map(({ nav, units, houseUnits, ...pool }) => ({
        pool_id: pool.id,
        suspended: pool.suspended,
        holders: pool.holders,
        people: nav === null ? null : pusdt(worthOf(units - houseUnits, nav)),
        house: nav === null ? null : pusdt(worthOf(houseUnits, nav)),
        mark_at_ms: pool.markAtMs,
      })),
    contractsOn: contracts.areOn,
    signUp: () => session.signUp.read(),
  });
}
