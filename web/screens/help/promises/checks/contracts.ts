import { getContractDetails, getContractList } from "#api/routes/contracts.ts";
import { getConfig } from "#api/routes/meta.ts";
import { computeCoinFlipReturnPer20000 } from "#core/contracts/breakEven.ts";
import { client } from "#web/lib/api/client.ts";
import type { Check } from "./check.ts";

async function allDetails() {
  const { data } = await client.call(getContractList, { type: "all" });
  const getDetails = async (ids: readonly string[]) =>
    Promise.all(
      ids.map(async (contract_id) => (await client.call(getContractDetails, { contract_id })).data),
    );
  const [onSale, withdrawn] = await Promise.all([
    getDetails(data.items.map(({ contract_id }) => contract_id)),
    getDetails(data.withdrawn),
  ]);
  return { onSale, withdrawn };
}

/** Promise 4: what coin flips return under the terms of every listed contract. */
export const checkReturns: Check = async () => {
  const tiers = (await allDetails()).onSale.flatMap(({ terms }) => terms.tiers);
  if (tiers.length === 0) return { outcome: "nothing", messages: [{ id: "4.none" }] };
  const returns = tiers.map(
    (tier) => computeCoinFlipReturnPer20000({ rateBp: tier.rate_bp, feeBp: tier.fee_bp }) / 200,
  );
  const [low, high] = [Math.min(...returns), Math.max(...returns)];
  return {
    outcome: low >= 90 && high <= 98 ? "holds" : "fails",
    messages: [
      { id: low === high ? "4.same" : "4.returns", values: { count: tiers.length, low, high } },
    ],
  };
};

const fetchPool = async () => {
  const { pool } = (await client.call(getConfig, {})).data.home;
  if (!pool) throw new Error("an archive counts nothing");
  return pool;
};

/**
 * Promise 7: the home page's order count against the sum over all contracts, delisted ones
 * included. Orders may settle in the meantime.
 */
export const checkFigures: Check = async () => {
  const before = await fetchPool();
  const { onSale, withdrawn } = await allDetails();
  const totals = [...onSale, ...withdrawn].reduce(
    (sum, { instance }) => ({
      settled: sum.settled + instance.settled,
      lost: sum.lost + instance.lost,
    }),
    { settled: 0, lost: 0 },
  );
  const after = await fetchPool();
  const isWithin = (low: number, value: number, high: number) => low <= value && value <= high;
  const ok =
    isWithin(before.orders_settled, totals.settled, after.orders_settled) &&
    isWithin(before.orders_lost, totals.lost, after.orders_lost);
  return {
    outcome: ok ? "holds" : "fails",
    messages: [
      {
        id: "7.counted",
        values: {
          settled: after.orders_settled,
          lost: after.orders_lost,
          settledSum: totals.settled,
          lostSum: totals.lost,
        },
      },
    ],
  };
};
