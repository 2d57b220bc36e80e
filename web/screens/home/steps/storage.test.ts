import { beforeEach, expect, test, vi } from "vitest";
import { dismissSteps, stepNames, storedSteps, storeSteps } from "./storage.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("a step seen done stays done", () => {
  storeSteps("u1", new Set(["terms", "order"]));
  expect(storedSteps("u1")).toEqual(new Set(["terms", "order"]));
});

test("another person begins over", () => {
  storeSteps("u1", new Set(["terms"]));
  expect(storedSteps("u2")).toEqual(new Set());
});

test("the list leads on when every step is done, and goes away when it is put away", () => {
  storeSteps("u1", new Set(stepNames));
  expect(storedSteps("u1")).toEqual(new Set(stepNames));
  dismissSteps("u2");
  expect(storedSteps("u2")).toBe("away");
});

test("unknown words in storage are ignored", () => {
  kept.set("drydock.steps", "u1 terms,nonsense,");
  expect(storedSteps("u1")).toEqual(new Set(["terms"]));
});
