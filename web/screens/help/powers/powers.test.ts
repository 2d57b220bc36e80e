import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { changesSomething } from "#api/call.ts";
import { calls } from "#api/calls.ts";
import { getPowers } from "#api/operator/session.ts";
import { auditEventNames } from "#core/operator/auditEvents.ts";
import {
  decidePermission,
  neverAllowed,
  type Permission,
  permissionNames,
  type Role,
  roleNames,
  roles,
} from "#core/operator/permissions.ts";

const root = join(import.meta.dirname, "../../../..");
const locales = globSync(join(root, "i18n/permissions/*.json"));
const readJson = (file: string) => JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
const getKeys = (file: string, prefix: string) =>
  Object.keys(readJson(file))
    .filter((key) => key.startsWith(prefix))
    .map((key) => key.slice(prefix.length))
    .toSorted();

describe("page of permissions", () => {
  test("the page exists in eight languages", () => expect(locales).toHaveLength(8));

  test.each(locales)("%s has a text for exactly the permissions, roles and limits", (file) => {
    expect(getKeys(file, "permissions.allows.")).toEqual([...permissionNames].toSorted());
    expect(getKeys(file, "permissions.role.")).toEqual([...roleNames].toSorted());
    expect(getKeys(file, "permissions.about.")).toEqual([...roleNames].toSorted());
    const limits = getKeys(file, "permissions.cannot.").filter((name) => name !== "title");
    expect(limits).toEqual([...neverAllowed].toSorted());
    const groups = new Set(permissionNames.map((name) => name.split(".")[0]!));
    expect(getKeys(file, "permissions.group.")).toEqual([...groups].toSorted());
  });

  test.each(
    locales.map((file) => file.replace("/permissions/", "/audit/")),
  )("%s has a text for exactly the audit events", (file) => {
    const named = getKeys(file, "audit.").filter((name) => name !== "no_reason");
    expect(named).toEqual([...auditEventNames].toSorted());
  });

  test("the page renders the server's answer, whose schema requires every permission", () => {
    const rule = { raised: true, touches: true, roles: ["owner"] };
    const answer = {
      permissions: permissionNames.map((name) => ({ ...rule, name })),
      operators: roleNames.map((role) => ({ role, count: 1 })),
      audit: { acts: 0, leaf: null, head: "" },
    };
    expect(getPowers.answer.safeParse(answer).success).toBe(true);
    const inventedRule = { ...rule, name: "people.balance" };
    const wrongAnswer = { ...answer, permissions: [inventedRule] };
    expect(getPowers.answer.safeParse(wrongAnswer).success).toBe(false);
  });
});

describe("calls of operators", () => {
  const operatorCalls = calls.filter(({ access }) => access === "operator");
  test("only calls about oneself need no permission", () => {
    const free = operatorCalls.filter(({ permission }) => permission === undefined);
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

  test("calls without operator access name no permission", () => {
    const others = calls.filter(({ access }) => access !== "operator");
    expect(others.filter(({ permission, changes }) => permission || changes !== undefined)).toEqual(
      [],
    );
  });

  test("operator calls move no money, and reads need no idempotency key", () => {
    expect(operatorCalls.filter(({ money }) => money)).toEqual([]);
    expect(operatorCalls.filter((call) => call.method === "GET" && changesSomething(call))).toEqual(
      [],
    );
  });
});

describe("decide", () => {
  test("the owner has every permission, and no role repeats one", () => {
    expect(roles.owner).toEqual(permissionNames);
    for (const role of roleNames) expect(new Set(roles[role]).size).toBe(roles[role].length);
  });

  type Row = [string, Parameters<typeof decidePermission>[0], string];
  const ask = (role: Role, permission: Permission | null, elevatedUntilMs: number | null) => ({
    role,
    permission,
    elevatedUntilMs,
    changes: true,
    factorsReady: true,
    nowMs: 10,
  });
  test.each<Row>([
    ["a call about oneself is allowed", ask("auditor", null, null), "allowed"],
    ["a permission of the role is allowed", ask("auditor", "audit.read", null), "allowed"],
    ["a permission of another role is refused", ask("auditor", "people.view", 99), "not_permitted"],
    [
      "a permission that requires elevation is refused without it",
      ask("owner", "operators.manage", null),
      "raise_required",
    ],
    [
      "a permission that requires elevation is allowed with it",
      ask("owner", "operators.manage", 11),
      "allowed",
    ],
    [
      "an elevation has ended at its expiry",
      ask("owner", "operators.manage", 10),
      "raise_required",
    ],
    [
      "reading is allowed without elevation",
      { ...ask("owner", "operators.manage", null), changes: false },
      "allowed",
    ],
    [
      "a change without a second factor is refused",
      { ...ask("publisher", "publish.news", null), factorsReady: false },
      "factor_required",
    ],
    [
      "reading without a second factor is allowed",
      { ...ask("support", "people.view", null), factorsReady: false, changes: false },
      "allowed",
    ],
    [
      "a missing permission takes precedence over a missing factor",
      { ...ask("auditor", "operators.manage", null), factorsReady: false },
      "not_permitted",
    ],
    [
      "a missing permission takes precedence over elevation",
      ask("support", "operators.manage", null),
      "not_permitted",
    ],
  ])("%s", (_title, request, decision) => expect(decidePermission(request)).toBe(decision));
});
