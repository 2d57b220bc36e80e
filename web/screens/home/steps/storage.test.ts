import { beforeEach, expect, test, vi } from "vitest";
import { dismissSteps, readSteps, readStepsHere, stepNames, storeSteps } from "./storage.ts";

const items = new Map<string, string>();

beforeEach(() => {
  items.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
  });
});

test("a completed step stays completed", () => {
  storeSteps("u1", new Set(["order", "withdraw"]));
  expect(readSteps("u1")).toEqual(new Set(["order", "withdraw"]));
});

test("another person starts with no completed steps", () => {
  storeSteps("u1", new Set(["order"]));
  expect(readSteps("u2")).toEqual(new Set());
});

test("completed steps are kept, and dismissing hides the list", () => {
  storeSteps("u1", new Set(stepNames));
  expect(readSteps("u1")).toEqual(new Set(stepNames));
  dismissSteps("u2");
  expect(readSteps("u2")).toBe("away");
});

test("unknown names in storage are ignored", () => {
  items.set("drydock.steps", "u1 order,nonsense,");
  expect(readSteps("u1")).toEqual(new Set(["order"]));
});

test("steps that happen only in this browser are derived from the values that they store", () => {
  expect(readStepsHere()).toEqual([]);
  for (const name of ["thousand_run", "fraud_met", "receipt_checked"])
    items.set(`drydock.${name}`, "1");
  expect(readStepsHere()).toEqual(["thousand", "fraud", "receipt"]);
});
