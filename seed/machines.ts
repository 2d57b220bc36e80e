import type { NetworkFigures } from "#core/mining/formula.ts";
import { computeExpectedDay, type MachineOffer, type MachineTerms } from "#core/mining/terms.ts";

/** The server's operations that offering machines needs; `createMining(…)` gives it. */
export interface MachineSeedDeps {
  /** The network and the BTC price now; null while either is unknown. */
  figures: () => Promise<{ network: NetworkFigures; btcPrice: bigint } | null>;
  catalogue: { all(): Promise<readonly MachineTerms[]> };
  publish: (
    offer: MachineOffer,
  ) => Promise<{ ok: true; published: boolean } | { ok: false; refusal: { error: string } }>;
}

interface Model {
  productId: string;
  maker: string;
  model: string;
  source: string;
  /** TH/s and W as published by the maker. */
  hashrateThs: number;
  powerW: number;
  /** The seller's minimum price per day, in minor units of pUSDT. */
  floor: bigint;
  stock: number;
}

/** Hashrate, power and tolerance are the makers' own figures for these models. */
const models: readonly Model[] = [
  {
    productId: "antminer-s19-95",
    maker: "Bitmain",
    model: "Antminer S19 95T",
    source: "Bitmain: 95 TH/s ± 3 %, 3 250 W ± 5 %",
    hashrateThs: 95,
    powerW: 3_250,
    floor: 350_000n,
    stock: 400,
  },
  {
    productId: "whatsminer-m50s-126",
    maker: "MicroBT",
    model: "Whatsminer M50S 126T",
    source: "MicroBT: 126 TH/s ± 5 %, 3 276 W ± 5 %",
    hashrateThs: 126,
    powerW: 3_276,
    floor: 600_000n,
    stock: 300,
  },
  {
    productId: "antminer-s19-xp-140",
    maker: "Bitmain",
    model: "Antminer S19 XP 140T",
    source: "Bitmain: 140 TH/s ± 3 %, 3 010 W ± 5 %",
    hashrateThs: 140,
    powerW: 3_010,
    floor: 900_000n,
    stock: 300,
  },
  {
    productId: "antminer-s21-200",
    maker: "Bitmain",
    model: "Antminer S21 200T",
    source: "Bitmain: 200 TH/s ± 3 %, 3 500 W ± 5 %",
    hashrateThs: 200,
    powerW: 3_500,
    floor: 1_400_000n,
    stock: 200,
  },
  {
    productId: "antminer-s21-xp-270",
    maker: "Bitmain",
    model: "Antminer S21 XP 270T",
    source: "Bitmain: 270 TH/s ± 3 %, 3 645 W ± 5 %",
    hashrateThs: 270,
    powerW: 3_645,
    floor: 2_000_000n,
    stock: 100,
  },
];

/** pUSDT per kWh, in minor units. */
const pricePerKwh = 60_000n;
/** A seller's margin above the expected proceeds of a machine after its power, in percent. */
const marginPercent = 115n;
/** Prices are in whole cents. */
const cent = 10_000n;

/**
 * Offers the machines. A machine that is new, or whose current price has fallen below its expected
 * proceeds, is published at its expected proceeds after power plus 15 %, or at the seller's minimum
 * price; all others stay unchanged. Returns the number of published offers; 0 while the figures are
 * unknown.
 */
export async function seedMachines(deps: MachineSeedDeps): Promise<number> {
  const figures = await deps.figures();
  if (!figures) return 0;
  const current = await deps.catalogue.all();
  let published = 0;
  for (const model of models) {
    const publishedOffer = current.find(({ productId }) => productId === model.productId);
    const machineOffer = getOffer(model, figures);
    if (
      publishedOffer &&
      isSameMachine(publishedOffer, machineOffer) &&
      !flatters(publishedOffer, figures)
    )
      continue;
    const result = await deps.publish(machineOffer);
    if (!result.ok) throw new Error(`${model.productId} is refused: ${result.refusal.error}`);
    if (result.published) published += 1;
  }
  return published;
}

type Figures = { network: NetworkFigures; btcPrice: bigint };

function getOffer(model: Model, { network, btcPrice }: Figures): MachineOffer {
  const { productId, maker, model: name, source, powerW, stock } = model;
  const hashrateGhs = BigInt(model.hashrateThs) * 1_000n;
  const day = computeExpectedDay(
    { hashrateGhs, powerW, pricePerDay: 0n, pricePerKwh },
    network,
    btcPrice,
  );
  const profit = day.worth - day.power;
  const pricePerDay = profit > 0n ? ((profit * marginPercent) / (100n * cent) + 1n) * cent : 0n;
  return {
    productId,
    maker,
    model: name,
    source,
    hashrateGhs,
    powerW,
    pricePerDay: pricePerDay > model.floor ? pricePerDay : model.floor,
    pricePerKwh,
    stock,
    quantityMax: 20,
    daysMin: 1,
    daysMax: 360,
  };
}

function isSameMachine(publishedOffer: MachineOffer, machineOffer: MachineOffer): boolean {
  return (Object.keys(machineOffer) as (keyof MachineOffer)[]).every(
    (name) => name === "pricePerDay" || publishedOffer[name] === machineOffer[name],
  );
}

function flatters(offer: MachineOffer, { network, btcPrice }: Figures): boolean {
  const { worth, cost } = computeExpectedDay(offer, network, btcPrice);
  return worth > cost;
}
