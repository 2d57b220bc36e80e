import { expect, test } from "vitest";
import { CannotCheckError, parseDetection } from "./detectors.ts";
import { detectTampering } from "./detectTampering.ts";

const change = { kind: "log", title: "a leaf" };
const createDetector = (name: string, detected: string | null) => ({
  name,
  detect: async () => detected,
});
const createFailingDetector = {
  name: "failing",
  detect: async () => {
    throw new CannotCheckError("nobody answers");
  },
};

test("a detector that names the change ends the search", async () => {
  const result = await detectTampering(change, [
    createDetector("audit", null),
    createDetector("witness", "forked"),
    createFailingDetector,
  ]);
  expect(result).toMatchObject({ detector: "witness", findings: "forked" });
});

test("a detector that cannot check counts as having found nothing", async () => {
  expect(
    await detectTampering(change, [createFailingDetector, createDetector("audit", null)]),
  ).toMatchObject({ detector: null });
  expect(
    await detectTampering(change, [createFailingDetector, createDetector("audit", "log.leaf")]),
  ).toMatchObject({
    detector: "audit",
  });
});

test("a verifier detects a change by naming a difference, not by its exit status alone", () => {
  expect(parseDetection(0, "")).toBeNull();
  expect(parseDetection(1, "DIFFERS")).toBe("DIFFERS");
  expect(() => parseDetection(2, "Cannot reach the instance.")).toThrow(CannotCheckError);
  expect(() => parseDetection(null, "")).toThrow(CannotCheckError);
});
