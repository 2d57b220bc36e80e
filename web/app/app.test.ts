import { expect, test } from "vitest";
import { ApiError } from "#api/client.ts";
import { getTabAt } from "#core/screens/screens.ts";
import { matchLocale } from "#i18n/locales.ts";
import { createIdempotencyKeys, createUuidV7 } from "#web/lib/api/idempotencyKeys.ts";
import { computeBackOffMs } from "#web/lib/backOff.ts";
import { ChunkError, loadWithTimeout } from "#web/lib/start/loadWithTimeout.ts";

test("createUuidV7 puts the time into the first 48 bits", () => {
  const key = createUuidV7(0x0192_3456_789a, (bytes) => bytes.fill(0xff));
  expect(key).toBe("01923456-789a-7fff-bfff-ffffffffffff");
});

const body = '{"stake":"100"}';
test.each([
  ["no answer", new ApiError("network.failed", "", 0), true],
  ["a retryable refusal", new ApiError("request.too_many", "", 429), true],
  ["a final refusal", new ApiError("ledger.overdraft", "", 409), false],
  ["success", null, false],
])("after %s the same body keeps its idempotency key: %s", (_, failure, keeps) => {
  let keyCount = 0;
  const idempotencyKeys = createIdempotencyKeys(() => `key-${++keyCount}`);
  const first = idempotencyKeys.keyFor(body);
  idempotencyKeys.release(failure);
  expect(idempotencyKeys.keyFor(body) === first).toBe(keeps);
});

test("another body gets another idempotency key", () => {
  let keyCount = 0;
  const idempotencyKeys = createIdempotencyKeys(() => `key-${++keyCount}`);
  expect(idempotencyKeys.keyFor(body)).not.toBe(idempotencyKeys.keyFor('{"stake":"101"}'));
});

test.each([
  [0, 0, 250],
  [0, 1, 500],
  [3, 1, 4000],
  [50, 1, 30_000],
])("after %d failures with chance %d the stream waits %d ms", (failures, chance, wait) => {
  expect(computeBackOffMs(failures, chance)).toBe(wait);
});

test("a chunk that fails or times out is a ChunkError", async () => {
  await expect(loadWithTimeout(() => Promise.reject(new Error("404")))).rejects.toBeInstanceOf(
    ChunkError,
  );
  await expect(loadWithTimeout(() => new Promise(() => undefined), 5)).rejects.toBeInstanceOf(
    ChunkError,
  );
});

test.each([
  [["de-AT", "en"], "de"],
  [["zh-Hant-HK"], "zh-TW"],
  [["zh-CN"], "cn"],
  [["cn"], null],
  [["pt-BR", "sv"], "sv"],
  [[], null],
])("offers a browser that prefers %j the language %s", (preferredLanguages, offered) => {
  expect(matchLocale(preferredLanguages)).toBe(offered);
});

test.each([
  ["/home", "/home"],
  ["/verify", "/home"],
  ["/business/orders", "/business"],
  ["/wallet-record", "/ucenter"],
  ["/share", "/uc-team"],
  ["/mining/gone", "/home"],
  ["/nowhere", null],
])("%s belongs to the tab %s when opened directly", (path, tab) => {
  expect(getTabAt(path)).toBe(tab);
});

test.each([
  ["/wallet", "/home", "/home"],
  ["/help", "/business", "/business"],
  ["/verify", "/ucenter", "/ucenter"],
  ["/business/orders", "/home", "/business"],
  ["/uc-team", "/home", "/uc-team"],
] as const)("%s, when reached from %s, belongs to the tab %s", (path, origin, tab) => {
  expect(getTabAt(path, origin)).toBe(tab);
});
