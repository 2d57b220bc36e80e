import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { calls } from "#api/calls.ts";
import { commonErrors, errors } from "#api/errors.ts";
import { withdraw } from "#api/withdraw.ts";

/**
 * The third promise, read from the sources: what can refuse a withdrawal, and what its decision can
 * come to know.
 */
const room = join(import.meta.dirname, "../..");
const source = (path: string) => readFileSync(join(room, path), "utf8");
const getImports = (path: string) =>
  [...source(path).matchAll(/^import (?:type )?[^;]*from "([^"]+)"/gm)]
    .map(([, from]) => from)
    .sort();

const attempt = "server/withdraw/place.ts";
const refusing = [
  attempt,
  "server/ledger/transact.ts",
  "server/ledger/ownAttempt.ts",
  "server/addresses/amount.ts",
  "server/platform/amount.ts",
  "server/addresses/destination.ts",
  "server/addresses/addressError.ts",
  "server/pin/pin.ts",
  "server/platform/crypto/secretHash.ts",
  "server/ledger/idempotentRoute.ts",
];

/**
 * By form: amount, address, key. By right: signed in, one's own attempt, PIN. By the rule: the last
 * three.
 */
const listedErrors = [
  "address.checksum",
  "address.malformed",
  "address.network_unknown",
  "address.real_chain",
  "address.wrong_network",
  "attempts.unknown",
  "idempotency.body_changed",
  "idempotency.key_malformed",
  "idempotency.key_missing",
  "ledger.overdraft",
  "money.amount_malformed",
  "money.amount_too_large",
  "money.excess_digits",
  "pin.locked",
  "pin.required",
  "pin.wrong",
  "session.required",
  "withdraw.below_minimum",
  "withdraw.nothing",
];

describe("possible refusals of a withdrawal", () => {
  test("a withdrawal fails only with the listed errors", () => {
    expect(withdraw.errors.toSorted()).toEqual(listedErrors);
  });

  test("the code of a withdrawal throws no other error", () => {
    const thrownErrors = refusing.flatMap((path) =>
      [...source(path).matchAll(/"([a-z_]+\.[a-z_]+)"/g)]
        .map(([, name]) => name as string)
        .filter((name) => Object.hasOwn(errors, name)),
    );
    expect(thrownErrors.length).toBeGreaterThan(15);
    const knownErrors = new Set<string>([...listedErrors, ...commonErrors]);
    expect(thrownErrors.filter((name) => !knownErrors.has(name))).toEqual([]);
  });

  test("the withdrawal module imports no other state, as the third promise requires", () => {
    expect(getImports(attempt)).toEqual(
      [
        "#core/money/coins.ts",
        "#core/money/decimal.ts",
        "#core/withdraw/withdraw.ts",
        "#core/wallet/valuation.ts",
        "#server/ledger/types.ts",
        "#server/platform/db/database.ts",
        "#server/platform/context.ts",
        "#server/platform/apiError.ts",
        "#server/addresses/amount.ts",
        "#server/addresses/destination.ts",
        "#server/wallet/wallet.ts",
        "#server/ledger/transact.ts",
        "#server/withdraw/types.ts",
        "kysely",
      ].toSorted(),
    );
    const text = source(attempt);
    expect([...text.matchAll(/\bfrom (?:user_|contract_|hosting|mining|world\b)\w*/g)]).toEqual([]);
    expect(text).not.toMatch(/\bconfig\b|process\.env/);
  });

  test("a withdrawal has one route, which checks only session and PIN", () => {
    const text = source("server/withdraw/routes.ts");
    const run = /api\.withdraw, \{([\s\S]*?)\n {2}\}\);/.exec(text)?.[1] ?? "";
    const callNames = [...run.matchAll(/await (\w+)\.(\w+)\(/g)].map(
      ([, domain, name]) => `${domain}.${name}`,
    );
    expect(callNames).toEqual(["pin.check", "withdraw.place"]);
    expect(
      getImports("server/withdraw/routes.ts").filter((from) => /^#server/.test(from as string)),
    ).toEqual(
      [
        "#server/ledger/idempotentRoute.ts",
        "#server/platform/http/context.ts",
        "#server/platform/http/route.ts",
        "#server/pin/pin.ts",
        "#server/withdraw/withdraw.ts",
      ].toSorted(),
    );
  });
});

describe("no other refusal of a withdrawal exists", () => {
  test("only the withdrawal module writes withdrawals, and only owners can cancel", () => {
    const writers = globSync(["server/**/*.ts", "seed/**/*.ts", "operator/**/*.ts"], { cwd: room })
      .filter((path) => !/\.test\.ts$/.test(path))
      .filter((path) => /(?:insert into|update|delete from) withdrawal\b/.test(source(path)));
    expect(writers.toSorted()).toEqual(["server/withdraw/ending.ts", "server/withdraw/place.ts"]);
    // The person cancels, or deletes the account; closing an attempt cancels none.
    const cancels = source("server/withdraw/withdraw.ts").matchAll(/closing\.cancel\(/g);
    expect([...cancels]).toHaveLength(2);
    expect(source("server/withdraw/module.ts")).not.toContain("onClose");
    const leaving = globSync("server/**/*.ts", { cwd: room })
      .filter((path) => !/\.test\.ts$/.test(path))
      .filter((path) => source(path).includes("cancelIfWaiting"));
    expect(leaving.toSorted()).toEqual([
      "server/account/deletion.ts",
      "server/withdraw/withdraw.ts",
    ]);
  });

  test("no call refuses, reviews, freezes or approves a withdrawal", () => {
    const paths = calls.map(({ path }) => path);
    const names =
      /(?:refuse|reject|deny|freeze|block|approve|review|hold)\w*(?:withdraw|wallet|account)|withdraw\w*(?:refuse|reject|deny|approve|review)/i;
    expect(paths.filter((path) => names.test(path))).toEqual([]);
    expect(paths).toContain("/api/user/withdraw");
  });

  test("no setting mentions withdrawals", () => {
    expect(source("server/platform/config/settings.ts")).not.toMatch(/withdraw/i);
    expect(source("server/platform/config/config.ts")).not.toMatch(/withdraw/i);
  });
});
