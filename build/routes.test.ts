import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, expectTypeOf, test } from "vitest";
import type { AnswerOf, InputOf } from "#api/call.ts";
import { requiresIdempotencyKey } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import type { Client } from "#api/client.ts";
import type * as definitions from "#api/contracts.ts";
import { type ErrorName, errors } from "#api/errors.ts";
import * as routes from "#api/routes/contracts.ts";
import { retryableErrors } from "#api/routes/retryableErrors.ts";
import { generateRouteFiles } from "./routes.ts";

const root = join(import.meta.dirname, "..");

test("api/routes equals the output of `npm run routes`", async () => {
  const expected = Object.fromEntries(await generateRouteFiles());
  const routeNames = globSync("api/routes/**/*.ts", { cwd: root }).map((file) => [
    file,
    readFileSync(join(root, file), "utf8"),
  ]);
  expect(Object.fromEntries(routeNames)).toEqual(expected);
});

test("every call has a route", async () => {
  const text = [...(await generateRouteFiles()).values()].join("");
  expect(calls.length).toBeGreaterThan(200);
  for (const { path } of calls) expect(text).toContain(`path: "${path}"`);
});

test("a route keeps its call's idempotency key and the errors their retryability", () => {
  expect(requiresIdempotencyKey(routes.placeOrder)).toBe(true);
  expect(requiresIdempotencyKey(routes.getOrderList)).toBe(false);
  for (const [name, { retry }] of Object.entries(errors)) {
    expect(retryableErrors.has(name as ErrorName)).toBe(retry);
  }
});

test("a route keeps its definition's types, and a wrong name or input is a type error", () => {
  expectTypeOf<InputOf<typeof routes.placeOrder>>().toEqualTypeOf<
    InputOf<typeof definitions.placeOrder>
  >();
  expectTypeOf<AnswerOf<typeof routes.getOrderList>>().toEqualTypeOf<
    AnswerOf<typeof definitions.getOrderList>
  >();
  // The following is type-checked but never run.
  const misuse = (client: Client) => {
    // @ts-expect-error no such route
    void client.call(routes.placeOrders, {});
    // @ts-expect-error an order needs more than a contract
    void client.call(routes.placeOrder, { contract_id: "" });
  };
  expect(misuse).toBeTypeOf("function");
});
