import { getRecordList, getTransferRecord } from "#api/routes/records.ts";
import { listAuthorisations, listSessions } from "#api/routes/session.ts";
import { coinScale } from "#core/money/coins.ts";
import { formatDecimal, toMinorUnits } from "#core/money/decimal.ts";
import { client } from "#web/lib/api/client.ts";
import { type Check, sessionRequired } from "./check.ts";

/** Promise 8: what operators did to this person, according to their records. */
export const checkAuditEvents: Check = async (signedIn) => {
  if (!signedIn) return sessionRequired;
  const { data } = await client.call(getTransferRecord, {
    group: "console",
    page: 1,
    page_size: 100,
  });
  return {
    outcome: "holds",
    messages: [{ id: data.has_more ? "8.many" : "8.acts", values: { count: data.items.length } }],
  };
};

/**
 * Promise 9: what this browser stores for this site, and what the server stores about the account.
 */
export const checkStorage: Check = async (signedIn) => {
  const keys = storedKeys();
  const browser = {
    id: "9.browser",
    values: { count: keys.length, keys: keys.join(", ") },
  };
  if (!signedIn) return { outcome: "holds", messages: [browser, { id: "9.visitor" }] };
  const [sessions, authorisations] = await Promise.all([
    client.call(listSessions, {}),
    client.call(listAuthorisations, {}),
  ]);
  const values = { sessions: sessions.data.items.length, agreed: authorisations.data.items.length };
  return { outcome: "holds", messages: [browser, { id: "9.account", values }] };
};

function storedKeys(): string[] {
  try {
    return Object.keys(localStorage).sort();
  } catch {
    return [];
  }
}

/** One reward for being invited and ten for inviting, 100 pUSDT each (docs/rules/wallet.md). */
const rewardsMost = 11;
const scale = coinScale("pUSDT");
const sumMost = 1100n * 10n ** BigInt(scale);

/** Promise 10: what inviting earned this person. */
export const checkRewards: Check = async (signedIn) => {
  if (!signedIn) return sessionRequired;
  const { data } = await client.call(getRecordList, { type: "reward", page: 1, page_size: 100 });
  const sum = data.items.reduce((all, { amount }) => all + toMinorUnits(amount ?? "0", scale), 0n);
  const count = data.items.length;
  return {
    outcome: count <= rewardsMost && sum <= sumMost ? "holds" : "fails",
    messages: [{ id: "10.sum", values: { count, amount: formatDecimal(sum, scale) } }],
  };
};
