import type { StakeQuote } from "#core/contracts/stake.ts";
import { computeExactBelowBp } from "#core/monte-carlo/exactBelow.ts";
import { computeQuantiles, countBelow, type Quantiles } from "#core/monte-carlo/quantiles.ts";
import { createDraws, scaleDraw } from "#core/monte-carlo/random.ts";
import type { Move } from "./moves.ts";

export const personCount = 1_000;
/** Numbers of orders after which the people are counted. */
export const horizons = [20, 100, 500] as const;
export type Horizon = (typeof horizons)[number];

/** Numbers of orders at which the fan has a point: every one at first, then fewer and fewer. */
const fanPoints: readonly number[] = [
  ...Array.from({ length: 21 }, (_, index) => index),
  ...Array.from({ length: 16 }, (_, index) => 25 + 5 * index),
  ...Array.from({ length: 20 }, (_, index) => 120 + 20 * index),
];

/** The fewest moves for a reliable result: a shorter history repeats the same few moves. */
export const reliableMovesMin = 200;

export interface OrdersRunInput {
  seed: string;
  moves: readonly Move[];
  /** One order at the current terms; every order of the run equals it. */
  quote: StakeQuote;
  /** The balance that pays for all orders; null if unknown. In minor units. */
  balance: bigint | null;
}

/** The people's results after a number of orders. Amounts in minor units of the stake's coin. */
export interface OrdersRow {
  orders: Horizon;
  /** The number of people with less than at the start. */
  below: number;
  /** The exact share below the start, in basis points. */
  exactBelowBp: number;
  /** Results: amount paid back less amount charged. */
  spread: Quantiles;
  /**
   * The number of people whose balance could not have paid for every order; null if the balance is
   * unknown.
   */
  outOfMoney: number | null;
  /** Orders by outcome, over all people. */
  won: number;
  lost: number;
  tied: number;
}

export interface OrdersRun {
  seed: string;
  /** Moments of the history at which an order could start, and how many of them end in a tie. */
  starts: number;
  ties: number;
  rows: OrdersRow[];
  /** The points of the fan chart: the spread of results after each number of orders. */
  fan: { orders: number; spread: Quantiles }[];
}

/**
 * A thousand people who place equal orders, each at a random moment of the history and up or down
 * by a coin flip. Person by person and order by order, one draw each: its lowest bit is the
 * direction (1 is up), the other 31 are the moment. Source: docs/rules/monte-carlo.md. Throws a
 * RangeError without a move.
 */
export function runOrders({ seed, moves, quote, balance }: OrdersRunInput): OrdersRun {
  if (moves.length === 0) throw new RangeError("a run needs a history");
  const draw = createDraws(seed);
  const results = new Map(fanPoints.map((orders) => [orders, [] as bigint[]]));
  const counts = new Map(
    horizons.map((horizon) => [horizon as number, { won: 0, lost: 0, tied: 0, out: 0 }]),
  );
  const net = { won: quote.profit - quote.fee, lost: -quote.charged, tied: -quote.fee };
  const last = horizons.at(-1) as number;
  for (let person = 0; person < personCount; person += 1) {
    const tally = { won: 0, lost: 0, tied: 0 };
    let result = 0n;
    let isOut = false;
    results.get(0)?.push(0n);
    for (let orders = 1; orders <= last; orders += 1) {
      if (balance !== null && balance + result < quote.charged) isOut = true;
      const outcome = getOutcome(draw(), moves);
      tally[outcome] += 1;
      result += net[outcome];
      results.get(orders)?.push(result);
      const count = counts.get(orders);
      if (count) {
        count.won += tally.won;
        count.lost += tally.lost;
        count.tied += tally.tied;
        count.out += isOut ? 1 : 0;
      }
    }
  }
  const ties = moves.filter((move) => move === "tie").length;
  const rows = horizons.map((orders): OrdersRow => {
    const { won, lost, tied, out } = counts.get(orders)!;
    const outcomes = results.get(orders)!;
    return {
      orders,
      below: countBelow(outcomes),
      exactBelowBp: computeExactBelowBp(orders, quote, { starts: moves.length, ties }),
      spread: computeQuantiles(outcomes),
      outOfMoney: balance === null ? null : out,
      won,
      lost,
      tied,
    };
  });
  const fan = [...results].map(([orders, values]) => ({
    orders,
    spread: computeQuantiles(values),
  }));
  return { seed, starts: moves.length, ties, rows, fan };
}

function getOutcome(word: number, moves: readonly Move[]): "won" | "lost" | "tied" {
  const move = moves[scaleDraw(word >>> 1, 31, moves.length)] as Move;
  if (move === "tie") return "tied";
  return ((word & 1) === 1) === (move === "won") ? "won" : "lost";
}
