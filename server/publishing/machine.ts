import type { NetworkFigures } from "#core/mining/formula.ts";
import {
  checkOffer,
  computeExpectedDay,
  type MachineOffer,
  type TermsError,
} from "#core/mining/terms.ts";
import { formatPusdt } from "#core/money/amount.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import type { MachineBody } from "#core/publishing/bodies.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { Tx } from "#server/platform/db/database.ts";
import { createAmounts } from "#server/publishing/amounts.ts";
import { checkTexts } from "#server/publishing/texts.ts";
import type { DraftProblem, Figure, KindRules } from "#server/publishing/types.ts";

/** The dependencies on mining of publishing a machine. */
export interface MachineRulesDeps {
  /** The network and BTC's price now; null while either is missing. */
  figures: (tx?: Tx) => Promise<{ network: NetworkFigures; btcPrice: bigint } | null>;
  publish: (
    offer: MachineOffer,
    tx: Tx,
  ) => Promise<
    { ok: true; published: boolean } | { ok: false; refusal: TermsError | { error: "no_price" } }
  >;
}

const makerTextMax = 200;

/**
 * A machine and its price. Running leases keep theirs: each stores its price and the hash of its
 * terms.
 */
export function createMachineRules({ figures, publish }: MachineRulesDeps): KindRules<"machine"> {
  const checked = async (offer: MachineOffer, tx?: Tx): Promise<DraftProblem[]> => {
    const now = await figures(tx);
    if (!now) return [{ error: "publishing.no_price", field: "", data: {} }];
    return toProblems(checkOffer(offer, now.network, now.btcPrice));
  };
  return {
    check: async (body, tx) => {
      const { offer, problems } = readOffer(body);
      const texts = checkTexts(
        (["maker", "model", "source"] as const).map((field) => ({
          at: field,
          text: body[field],
          most: makerTextMax,
        })),
      );
      const allProblems = [...problems, ...texts];
      return allProblems.length > 0 ? allProblems : checked(offer, tx);
    },
    publish: async (tx, body) => {
      const result = await publish(readOffer(body).offer, tx);
      if (result.ok) return;
      // The price moved since the check.
      const [problem] =
        result.refusal.error === "no_price"
          ? [{ error: "publishing.no_price" as const, data: {} }]
          : toProblems(result.refusal);
      throw new ApiError(problem!.error, problem!.data);
    },
    figures: async (body) => {
      const { offer, problems } = readOffer(body);
      const now = await figures();
      return problems.length > 0 || !now ? [] : toFigures(offer, now);
    },
  };
}

function readOffer(body: MachineBody): { offer: MachineOffer; problems: DraftProblem[] } {
  const amounts = createAmounts();
  const offer: MachineOffer = {
    productId: body.product_id,
    maker: body.maker,
    model: body.model,
    source: body.source,
    hashrateGhs: amounts.read("hashrate_ths", body.hashrate_ths, 3),
    powerW: body.power_w,
    pricePerDay: amounts.read("price_per_day", body.price_per_day, 6),
    pricePerKwh: amounts.read("electricity_per_kwh", body.electricity_per_kwh, 6),
    stock: body.stock,
    quantityMax: body.quantity_max,
    daysMin: body.days_min,
    daysMax: body.days_max,
  };
  return { offer, problems: amounts.problems };
}

/** The body of an offer, as the software records it. */
export function toMachineBody(offer: MachineOffer): MachineBody {
  return {
    product_id: offer.productId,
    maker: offer.maker,
    model: offer.model,
    source: offer.source,
    hashrate_ths: formatDecimal(offer.hashrateGhs, 3),
    power_w: offer.powerW,
    price_per_day: formatPusdt(offer.pricePerDay),
    electricity_per_kwh: formatPusdt(offer.pricePerKwh),
    stock: offer.stock,
    quantity_max: offer.quantityMax,
    days_min: offer.daysMin,
    days_max: offer.daysMax,
  };
}

function toProblems(refusal: TermsError | null): DraftProblem[] {
  switch (refusal?.error) {
    case undefined:
      return [];
    case "offer_malformed":
      return [
        {
          error: "publishing.machine_malformed",
          field: refusal.field,
          data: { part: refusal.field },
        },
      ];
    case "pays_nothing":
      return [{ error: "publishing.machine_pays_nothing", field: "hashrate_ths", data: {} }];
    case "flatters":
      return [
        {
          error: "publishing.machine_flatters",
          field: "price_per_day",
          data: { worth: formatPusdt(refusal.worth), cost: formatPusdt(refusal.cost) },
        },
      ];
  }
}

function toFigures(
  offer: MachineOffer,
  { network, btcPrice }: { network: NetworkFigures; btcPrice: bigint },
): Figure[] {
  const { payout, worth, power, cost } = computeExpectedDay(offer, network, btcPrice);
  return [
    { name: "machine_payout", at: "", value: formatDecimal(payout, 8) },
    { name: "machine_worth", at: "", value: formatPusdt(worth) },
    { name: "machine_power", at: "", value: formatPusdt(power) },
    { name: "machine_cost", at: "", value: formatPusdt(cost) },
  ];
}
