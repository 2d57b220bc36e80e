import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changesSomething } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { permissions, type Role, roleNames, roles } from "#core/operator/permissions.ts";
import { type AccessRow, accessTable, otherRoutes } from "#server/app/access.testdata.ts";
import type { World } from "#server/app/modules.ts";
import type { People, TestPerson } from "#server/testing/signedIn.ts";
import { createTestApp, getCall, type TestApp } from "#server/testing/testApp.ts";
import { type TestContext, testStartMs } from "#server/testing/testContext.ts";

/**
 * Every route × every kind of caller: who may make which call, tested with real requests. The table
 * is written by hand; a route without a row fails.
 */
let ctx: TestContext;
let world: World;
let close: TestApp["close"];
let people: People;
const mounted: string[] = [];
const personByCaller = new Map<Caller, TestPerson | null>();

type Caller = "nobody" | "user" | "other user" | Role | `${Role}, raised`;
const callers: readonly Caller[] = [
  "nobody",
  "user",
  "other user",
  ...roleNames,
  ...roleNames.map((role) => `${role}, raised` as const),
];

beforeAll(async () => {
  ({ ctx, world, people, close } = await createTestApp({
    onRoute: (method, path) => mounted.push(`${method} ${path}`),
  }));
  ctx.clock.advanceTo(testStartMs + 5_000);
  ctx.realClock.advanceMs(5_000);
  await world.services.market.feed.tick();
  await world.services.transparencyLog.integrate();
  personByCaller.set("nobody", null);
  personByCaller.set("user", await people.signIn());
  personByCaller.set("other user", await people.signIn());
  const owner = await people.operator("owner");
  personByCaller.set("owner", owner);
  for (const role of roleNames) {
    if (role !== "owner") personByCaller.set(role, await people.operator(role, owner));
  }
  for (const role of roleNames) {
    // The same operator in another browser: only that session is elevated.
    const newSession = await people.signIn(personByCaller.get(role)!.key);
    await people.raise(newSession);
    personByCaller.set(`${role}, raised`, newSession);
  }
  await people.data({ method: "POST", path: "/api/operator/lower" }, {}, owner.token);
});
afterAll(() => close());

type Answer =
  | "passes"
  | "session.required"
  | "operator.required"
  | "operator.not_permitted"
  | "operator.raise_required";

function expected(row: AccessRow, changes: boolean, caller: Caller): Answer {
  if (row === "public") return "passes";
  if (caller === "nobody") return "session.required";
  if (row === "user") return "passes";
  if (caller === "user" || caller === "other user") return "operator.required";
  const [role, isElevated] = caller.split(", ") as [Role, "raised"?];
  if (row === "operator") return "passes";
  if (!roles[role].includes(row)) return "operator.not_permitted";
  return changes && permissions[row].elevated && !isElevated ? "operator.raise_required" : "passes";
}

const refusals: readonly string[] = [
  "session.required",
  "operator.required",
  "operator.not_permitted",
  "operator.raise_required",
];

test("every route has a row, and every row a route", () => {
  const paths = mounted.filter((entry) => !entry.startsWith("HEAD "));
  const rows = [...Object.keys(accessTable), ...otherRoutes];
  expect(paths.toSorted()).toEqual(rows.toSorted());
});

describe.each(
  calls.map((call) => [`${call.method} ${call.path}`, call] as const),
)("%s", (name, call) => {
  test("each caller gets the answer that the route's row expects", async () => {
    const row = accessTable[name]!;
    const answers: [Caller, string][] = [];
    for (const caller of callers) {
      // A malformed body: a caller who passes the access check is stopped right after it, with
      // nothing done.
      const payload = call.method === "POST" ? '"x"' : {};
      const answer = await people.ask(call, payload, personByCaller.get(caller)?.token);
      const isJson = String(answer.headers["content-type"]).startsWith("application/json");
      const error = String((isJson && answer.json().error) || "");
      expect(
        ["server.failed", "request.too_many", "request.not_found"],
        `${caller}: ${error}`,
      ).not.toContain(error);
      answers.push([caller, refusals.includes(error) ? error : "passes"]);
    }
    const changes = changesSomething(call);
    expect(answers).toEqual(callers.map((caller) => [caller, expected(row, changes, caller)]));
  });
});

describe("one person's data is refused to everyone else", () => {
  test.each<[string, (person: TestPerson) => Promise<Record<string, unknown>>, string]>([
    [
      "/api/user/revokeSession",
      async (testPerson) => {
        const list = await people.data(getCall("/api/user/getSessionList"), {}, testPerson.token);
        return { session_id: list.items[0].session_id };
      },
      "session.unknown",
    ],
    [
      "/api/user/revokeAuthorisation",
      async (testPerson) => {
        const list = await people.data(
          getCall("/api/user/getAuthorisationList"),
          {},
          testPerson.token,
        );
        return { authorisation_id: list.items[0].authorisation_id };
      },
      "terms.authorisation_unknown",
    ],
    [
      "/api/user/getTransferRecord",
      async (testPerson) => {
        const userInfo = await people.data(getCall("/api/user/userinfo"), {}, testPerson.token);
        return { attempt_id: userInfo.attempt_id };
      },
      "records.attempt_unknown",
    ],
  ])("%s", async (path, inputOf, error) => {
    const input = await inputOf(personByCaller.get("user")!);
    for (const caller of ["other user", "owner, raised"] as const) {
      const answer = await people.ask(getCall(path), input, personByCaller.get(caller)!.token);
      expect([caller, answer.json().error]).toEqual([caller, error]);
    }
  });
});
