import { beforeEach, expect, test, vi } from "vitest";
import { putStepsAway, rememberedSteps, rememberSteps, stepNames } from "./memory.ts";

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("a step seen done stays done", () => {
  rememberSteps("u1", new Set(["terms", "order"]));
  expect(rememberedSteps("u1")).toEqual(new Set(["terms", "order"]));
});

test("another person begins anew", () => {
  rememberSteps("u1", new Set(["terms"]));
  expect(rememberedSteps("u2")).toEqual(new Set());
});

test("the list goes away when every step is done, and when it is put away", () => {
  rememberSteps("u1", new Set(stepNames));
  expect(rememberedSteps("u1")).toBe("away");
  putStepsAway("u2");
  expect(rememberedSteps("u2")).toBe("away");
});

test("what storage holds may be anything", () => {
  kept.set("drydock.steps", "u1 terms,nonsense,");
  expect(rememberedSteps("u1")).toEqual(new Set(["terms"]));
});
