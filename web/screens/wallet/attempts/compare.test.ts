import { expect, test } from "vitest";
import type { Attempt } from "#api/attempts.ts";
import { computeBarShare, getFigure, getLargestFigure } from "./compare.ts";

const attempt = (result: string | null, contract: string | null): Attempt =>
  ({ result, total: "1", fees: "2", lines: [{ type: "contract", result: contract }] }) as Attempt;

test("an unused line has a result of zero, and a line without a price is unknown", () => {
  expect(getFigure(attempt("5", "-3"), "contract")).toBe("-3");
  expect(getFigure(attempt("5", "-3"), "mining")).toBe("0");
  expect(getFigure(attempt("5", null), "contract")).toBeNull();
  expect([getFigure(attempt("5", null), "fees"), getFigure(attempt(null, null), "result")]).toEqual(
    ["2", null],
  );
});

test("losses and gains share one scale", () => {
  const largest = getLargestFigure(
    [attempt("50", null), attempt("-200", null), attempt(null, null)],
    "result",
  );
  expect(largest).toBe(200);
  expect([
    computeBarShare("50", largest),
    computeBarShare("-200", largest),
    computeBarShare(null, largest),
    computeBarShare("1", 0),
  ]).toEqual([0.25, -1, 0, 0]);
});
