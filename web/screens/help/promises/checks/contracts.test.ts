import { expect, test, vi } from "vitest";
import { getContractDetails, getContractList } from "#api/routes/contracts.ts";
import { getConfig } from "#api/routes/meta.ts";

const { call } = vi.hoisted(() => ({ call: vi.fn() }));
vi.mock("#web/lib/api/client.ts", () => ({ client: { call } }));
const { checkFigures, checkReturns } = await import("./contracts.ts");

interface Counts {
  settled: number;
  lost: number;
}

/** An instance that lists "a" (90 % for a correct coin flip) and has delisted "b" (50 %). */
function serve(home: Counts, counts: Record<string, Counts>): void {
  call.mockImplementation(async (calledCall: unknown, input: { contract_id: string }) => {
    if (calledCall === getConfig) {
      return { data: { home: { pool: { orders_settled: home.settled, orders_lost: home.lost } } } };
    }
    if (calledCall === getContractList) {
      return { data: { items: [{ contract_id: "a" }], withdrawn: ["b"] } };
    }
    if (calledCall !== getContractDetails) throw new Error("unexpected call");
    const tier = { rate_bp: input.contract_id === "a" ? 9_000 : 5_000, fee_bp: 100 };
    return { data: { instance: counts[input.contract_id], terms: { tiers: [tier] } } };
  });
}

const a = { settled: 5, lost: 3 };
const b = { settled: 2, lost: 1 };

test.each<[string, Counts, "holds" | "fails"]>([
  ["orders of a delisted contract are included", { settled: 7, lost: 4 }, "holds"],
  ["a home page that omits them fails", { settled: 5, lost: 3 }, "fails"],
  ["a home page with fewer losses fails", { settled: 7, lost: 3 }, "fails"],
  ["a home page with extra orders fails", { settled: 8, lost: 4 }, "fails"],
])("%s", async (_title, home, outcome) => {
  serve(home, { a, b });
  expect((await checkFigures(false)).outcome).toBe(outcome);
});

test("returns are checked for listed contracts only", async () => {
  serve(a, { a, b });
  expect(await checkReturns(false)).toMatchObject({
    outcome: "holds",
    messages: [{ values: { count: 1 } }],
  });
});
