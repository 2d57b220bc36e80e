import { expect, test } from "vitest";
import { CannotCheckError, statedBy } from "./detectors.ts";
import { detectTampering } from "./detectTampering.ts";

const change = { kind: "log", title: "a leaf" };
const says = (name: string, detected: string | null) => ({ name, look: async () => detected });
const fails = {
  name: "failing",
  look: async () => {
    throw new CannotCheckError("nobody answers");
  },
};

test("who names the change has found it, and those after are not asked", async () => {
  const result = await detectTampering(change, [
    says("audit", null),
    says("witness", "forked"),
    fails,
  ]);
  expect(result).toMatchObject({ by: "witness", saw: "forked" });
});

test("who cannot check has found nothing", async () => {
  expect(await detectTampering(change, [fails, says("audit", null)])).toMatchObject({ by: null });
  expect(await detectTampering(change, [fails, says("audit", "log.leaf")])).toMatchObject({
    by: "audit",
  });
});

test("a verifier finds by naming a difference, not by ending with another status", () => {
  expect(statedBy(0, "")).toBeNull();
  expect(statedBy(1, "DIFFERS")).toBe("DIFFERS");
  expect(() => statedBy(2, "Cannot reach the instance.")).toThrow(CannotCheckError);
  expect(() => statedBy(null, "")).toThrow(CannotCheckError);
});
