import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changesSomething } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { getPowers } from "#api/operator/session.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import {
  decide,
  neverAllowed,
  type Permission,
  permissionNames,
  type Role,
  roleNames,
  roles,
} from "#core/operator/permissions.ts";

const root = join(import.meta.dirname, "../../../..");
const locales = globSync(join(root, "i18n/powers/*.json"));
const read = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const keysOf = (file: string, prefix: string) =>
  Object.keys(read(file))
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .toSorted();

describe("the page of powers says what the code says", () => {
  test("there are eight languages", () => expect(locales).toHaveLength(8));

  test.each(
    locales,
  )("%s has a sentence for each permission, role and limit, and for no other", (file) => {
    expect(keysOf(file, "powers.allows.")).toEqual([...permissionNames].toSorted());
    expect(keysOf(file, "powers.role.")).toEqual([...roleNames].toSorted());
    expect(keysOf(file, "powers.about.")).toEqual([...roleNames].toSorted());
    const limits = keysOf(file, "powers.cannot.").filter((name) => name !== "title");
    expect(limits).toEqual([...neverAllowed].toSorted());
    const groups = new Set(permissionNames.map((name) => name.split(".")[0]!));
    expect(keysOf(file, "powers.group.")).toEqual([...groups].toSorted());
  });

  test.each(
    locales.map((file) => file.replace("/powers/", "/acts/")),
  )("%s has a sentence for each audit event, and for no other", (file) => {
    const named = keysOf(file, "acts.").filter((name) => name !== "no_reason");
    expect(named).toEqual([...auditEventNames].toSorted());
  });

  test("the page is drawn from the server's answer, whose schema holds every permission", () => {
    const one = { raised: true, touches: true, roles: ["owner"] };
    const answer = {
      permissions: permissionNames.map((name) => ({ ...one, name })),
      operators: roleNames.map((role) => ({ role, count: 1 })),
      audit: { acts: 0, leaf: null, head: "" },
    };
    expect(getPowers.answer.safeParse(answer).success).toBe(true);
    const invented = { ...one, name: "people.balance" };
    const wrong = { ...answer, permissions: [invented] };
    expect(getPowers.answer.safeParse(wrong).success).toBe(false);
  });
});

describe("calls of operators", () => {
  const own = calls.filter(({ access }) => access === "operator");
  test("only calls about oneself need no permission", () => {
    const free = own.filter(({ permission }) => permission === undefined);
    expect(free.map(({ path }) => path.slice("/api/operator/".length)).toSorted()).toEqual([
      "addKey",
      "getFactors",
      "getKeyChallenge",
      "getMyActs",
      "getRaiseNonce",
      "leave",
      "lower",
      "raise",
      "removeKey",
      "removePassphrase",
      "setPassphrase",
    ]);
  });

  test("no other call names a permission", () => {
    const others = calls.filter(({ access }) => access !== "operator");
    expect(others.filter(({ permission, changes }) => permission || changes !== undefined)).toEqual(
      [],
    );
  });

  test("no call moves money, and a call that reads needs no key", () => {
    expect(own.filter(({ money }) => money)).toEqual([]);
    expect(own.filter((call) => call.method === "GET" && changesSomething(call))).toEqual([]);
  });
});

describe("deciding", () => {
  test("the owner has every permission, and each is held by somebody", () => {
    expect(roles.owner).toEqual(permissionNames);
    for (const role of roleNames) expect(new Set(roles[role]).size).toBe(roles[role].length);
  });

  type Row = [string, Parameters<typeof decide>[0], string];
  const ask = (role: Role, permission: Permission | null, elevatedUntilMs: number | null) => ({
    role,
    permission,
    elevatedUntilMs,
    changes: true,
    factorsReady: true,
    nowMs: 10,
  });
  test.each<Row>([
    ["a call about oneself", ask("auditor", null, null), "allowed"],
    ["a permission of the role", ask("auditor", "audit.read", null), "allowed"],
    ["one of another role", ask("auditor", "people.view", 99), "not_permitted"],
    [
      "one that needs elevated permissions",
      ask("owner", "operators.manage", null),
      "raise_required",
    ],
    ["the same, elevated", ask("owner", "operators.manage", 11), "allowed"],
    ["the same, in the moment they end", ask("owner", "operators.manage", 10), "raise_required"],
    [
      "the same, to look only",
      { ...ask("owner", "operators.manage", null), changes: false },
      "allowed",
    ],
    [
      "any change without a second factor",
      { ...ask("publisher", "publish.news", null), factorsReady: false },
      "factor_required",
    ],
    [
      "reading without one",
      { ...ask("support", "people.view", null), factorsReady: false, changes: false },
      "allowed",
    ],
    [
      "not permitted before a second factor is asked for",
      { ...ask("auditor", "operators.manage", null), factorsReady: false },
      "not_permitted",
    ],
    ["not permitted before elevation", ask("support", "operators.manage", null), "not_permitted"],
  ])("%s", (_title, asked, decision) => expect(decide(asked)).toBe(decision));
});
