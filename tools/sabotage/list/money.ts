import type { Sabotage } from "./sabotage.ts";

const decide = "core/withdraw/withdraw.ts";
const decideTest = "core/withdraw/withdraw.test.ts";
const close = "server/withdraw/ending.ts";
const withdrawTest = "server/withdraw/withdraw.test.ts";

const withdrawals: readonly Sabotage[] = [
  {
    name: "withdrawals: the minimum also holds for a whole balance",
    file: decide,
    find: "if (amount < available && worth !== null && worth < withdrawWorthMin) {",
    replace: "if (worth !== null && worth < withdrawWorthMin) {",
    tests: [decideTest],
  },
  {
    name: "withdrawals: a fee may take the whole amount",
    file: decide,
    find: "return amount > fee ? fee : 0n;",
    replace: "return amount >= fee ? fee : 0n;",
    tests: [decideTest],
  },
  {
    name: "withdrawals: the minimum shown is rounded down, below what is accepted",
    file: decide,
    find: "return divideUp(withdrawWorthMin * scale,",
    replace: "return ((a: bigint, b: bigint) => a / b)(withdrawWorthMin * scale,",
    tests: [decideTest],
  },
  {
    name: "withdrawals: the balance is not locked when all of it is asked for",
    file: "server/migrations/420-withdraw.sql",
    find: `  perform from account a where a.id = any(p_accounts) and not a.house
    order by a.id for no key update;
`,
    replace: "",
    tests: [withdrawTest],
  },
  {
    name: "withdrawals: can be cancelled at any time",
    file: close,
    find: "if (!row || Number(row.cancel_until_ms) <= atMs) return [];",
    replace: "if (!row) return [];",
    tests: [withdrawTest],
  },
  {
    name: "withdrawals: the day counts only while the clock goes forward",
    file: close,
    find: "abs(${nowMs} - placed_real_ms) >= ${withdrawLatestMs}",
    replace: "${nowMs} - placed_real_ms >= ${withdrawLatestMs}",
    tests: [withdrawTest],
  },
  {
    name: "withdrawals: after a day they wait a moment longer",
    file: close,
    find: "abs(${nowMs} - placed_real_ms) >= ${withdrawLatestMs}",
    replace: "abs(${nowMs} - placed_real_ms) > ${withdrawLatestMs}",
    tests: [withdrawTest],
  },
  {
    name: "withdrawals: ended although the journal did not post",
    file: close,
    find: "await endRows(ctx, tx, completedRows, {",
    replace: "await endRows(ctx, tx, rows, {",
    tests: [withdrawTest],
  },
  {
    name: "withdrawals: placed again under the same key",
    file: "server/withdraw/place.ts",
    find: "      if (await isPostedBefore(tx, id, bodyHash)) return;\n",
    replace: "",
    tests: [withdrawTest],
  },
];

const exchangeTest = "server/exchange/exchange.test.ts";

const exchanging: readonly Sabotage[] = [
  {
    name: "exchange: a quote stands however far the index rose",
    file: "core/exchange/exchange.ts",
    find: "return currentWorth >= atIndex - cost && currentWorth <= atIndex + cost ?",
    replace: "return currentWorth >= atIndex - cost ?",
    tests: ["core/exchange/option.test.ts", exchangeTest],
  },
  {
    name: "exchange: what is received is rounded up",
    file: "core/exchange/exchange.ts",
    find: "return under === 0n ? 0n : divideDown(amount * over, under);",
    replace: "return under === 0n ? 0n : divideUp(amount * over, under);",
    tests: ["core/exchange/exchange.test.ts"],
  },
  {
    name: "exchange: a quote never expires",
    file: "server/exchange/execute.ts",
    find: "if (ctx.realClock.nowMs() > Number(quote.expires_real_ms)) {",
    replace: "if (Number.isNaN(Number(quote.expires_real_ms))) {",
    tests: [exchangeTest],
  },
  {
    name: "exchange: somebody else's quote may be executed",
    file: "server/exchange/execute.ts",
    find: "where quote_id = ${quoteId} and user_id = ${userId} and attempt_id = ${attemptId}`",
    replace: "where quote_id = ${quoteId} and ${userId} <> '' and ${attemptId} <> ''`",
    tests: [exchangeTest],
  },
  {
    name: "send: more goes out than comes in, under an id of its own",
    file: "server/send/execute.ts",
    find: "        if (await isPostedBefore(tx, id, bodyHash)) return null;\n",
    replace: "",
    tests: ["server/send/send.test.ts"],
  },
  {
    name: "send: an attempt that was closed still sends",
    file: "server/send/execute.ts",
    find: `        if (current.get(owner.userId) !== owner.attemptId)
          throw new ApiError("attempts.not_current");
`,
    replace: "",
    tests: ["server/send/send.test.ts"],
  },
];

const keyFiles = "server/platform/crypto/keyFiles.ts";
const fields = "server/platform/crypto/fieldEncryption.ts";
const fieldsTest = "server/platform/crypto/fieldEncryption.test.ts";

const personalKeys: readonly Sabotage[] = [
  {
    name: "personal keys: a destroyed key that comes back is used again",
    file: keyFiles,
    find: `      if (await exists(tombstonePath(keyPath))) return null;
      if (key || !make) return key;`,
    replace: "      if (key || !make) return key;",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: destroying leaves the key's file",
    file: keyFiles,
    find: `      await flush(dirname(toPath(keyPath)));
      await overwriteAndDelete(toPath(keyPath));
      await flush(dirname(toPath(keyPath)));`,
    replace: "      await flush(dirname(toPath(keyPath)));",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: the key is shredded before the tombstone is there",
    file: keyFiles,
    find: `      await (await open(tombstonePath(keyPath), "a", 0o600)).close();
      await flush(dirname(toPath(keyPath)));
      await overwriteAndDelete(toPath(keyPath));`,
    replace: `      await overwriteAndDelete(toPath(keyPath));
      await (await open(tombstonePath(keyPath), "a", 0o600)).close();
      await flush(dirname(toPath(keyPath)));`,
    tests: [fieldsTest],
  },
  {
    name: "personal keys: a new key takes the place of a missing one",
    file: fields,
    find: "createTtlCache((userId: string) => readKey(userId, false), {",
    replace: "createTtlCache((userId: string) => readKey(userId, true), {",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: a cached key is trusted forever",
    file: fields,
    find: "ttlMs: keyLifeMs,",
    replace: "ttlMs: 1_000 * keyLifeMs,",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: a destroyed key stays in memory",
    file: fields,
    find: '  bus.subscribe("person.forgotten", ({ userId }) => keys.invalidate(userId));\n',
    replace: "",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: a key read while it was destroyed is cached",
    file: "server/platform/ttlCache.ts",
    find: "    invalidate: (key) => {\n      invalidations += 1;",
    replace: "    invalidate: (key) => {",
    tests: [fieldsTest],
  },
  {
    name: "personal keys: blind indexes of two columns are the same",
    file: fields,
    find: 'createHmac("sha256", key).update(`${use}\\0${text}`).digest()',
    replace: 'createHmac("sha256", key).update(`${use.slice(0, 0)}\\0${text}`).digest()',
    tests: [fieldsTest],
  },
];

const states = "server/app/audit/auditStates.test.ts";

const falseAlarms: readonly Sabotage[] = [
  {
    name: "audit: a cancelled withdrawal is a finding",
    file: "server/withdraw/reconciliation.ts",
    find: "\n        when 'cancelled' then 'voided' else 'pending' end",
    replace: " else 'pending' end",
    tests: [states],
  },
  {
    name: "audit: a lease that ended early is a finding",
    file: "server/mining/leaseCheck.ts",
    find: "where days_paid = days_to_work group by",
    replace: "where days_paid = days group by",
    tests: [states],
  },
];

export const moneySabotages = [...withdrawals, ...exchanging, ...personalKeys, ...falseAlarms];
