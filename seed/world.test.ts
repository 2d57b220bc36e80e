import { expect, test } from "vitest";
import { checkTerms, type Terms, toContractId } from "#core/contracts/terms.ts";
import { symbolNames } from "#core/market/symbols.ts";
import { type SeedDeps, seedWorld } from "#seed/world.ts";

/** Publishes as the server does: refuses invalid terms, and does nothing for unchanged ones. */
function createPublisher() {
  const published = new Map<string, Terms>();
  const publish: SeedDeps["contracts"]["publish"] = async (symbol, tiers) => {
    const terms = { world: "harbour", contractId: toContractId(symbol), symbol, version: 1, tiers };
    const refusal = checkTerms(terms);
    if (refusal) return { ok: false, refusal };
    const isUnchanged = published.has(terms.contractId);
    published.set(terms.contractId, terms);
    return { ok: true, published: !isUnchanged };
  };
  return { published, services: { symbols: symbolNames, contracts: { publish } } };
}

test("seeding a world publishes a contract for every symbol once", async () => {
  const { published, services } = createPublisher();
  expect(await seedWorld(services)).toBe(symbolNames.length);
  expect([...published.keys()]).toEqual(symbolNames.map(toContractId));
  expect(await seedWorld(services)).toBe(0);
});

test("a symbol without a market gets no contract", async () => {
  const { published, services } = createPublisher();
  expect(await seedWorld({ ...services, symbols: ["BTC/USD"] })).toBe(1);
  expect([...published.keys()]).toEqual(["btc-usd"]);
});

test("refused terms stop the start", async () => {
  const publish = async () => ({ ok: false, refusal: { error: "robs" } }) as const;
  await expect(seedWorld({ symbols: symbolNames, contracts: { publish } })).rejects.toThrow("robs");
});
