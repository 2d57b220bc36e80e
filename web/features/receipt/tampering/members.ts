import { type Coin, coinScale } from "#core/money/coins.ts";
import { decodeNetwork } from "#core/transparency-log/networkLeaf.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { decodeWorld, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { Alterable, Label, ValueFormat } from "#web/features/receipt/tampering/alterable.ts";

/** The leaves from which the lists of values to falsify are made. */
export type Leaves = ReadonlyMap<number, Uint8Array>;
export type Path = readonly (string | number)[];

/**
 * Lists prices in `second` leaves. A receipt does not state them; its check reads them from the
 * log.
 */
export function listSeconds(
  leaves: Leaves,
  symbol: string,
  indexes: Iterable<number>,
): Alterable[] {
  const world = readWorld(leaves);
  const column = world?.symbols.findIndex(({ name }) => name === symbol) ?? -1;
  const scale = world?.symbols[column]?.scale ?? 0;
  return [...new Set(indexes)].flatMap((leaf): Alterable[] => {
    const bytes = leaves.get(leaf);
    const decodedSecond = bytes ? decodeSecond(bytes, null) : null;
    const index = decodedSecond?.ok ? decodedSecond.value.index[column] : null;
    if (!decodedSecond?.ok || !index) return [];
    const timeText = formatSecond(decodedSecond.value.secondMs);
    return [
      {
        label: { id: "altered-copy.second", values: { symbol, time: timeText } },
        format: { is: "decimal", scale, unit: null },
        target: { in: "second", leaf, column },
        value: String(index),
        falseValue: increaseSlightly(String(index)),
      },
    ];
  });
}

/** Lists the fees paid to miners, in the network readings that a lease rests on. */
export function listNetworkFees(leaves: Leaves, indexes: readonly number[]): Alterable[] {
  return indexes.flatMap((leaf): Alterable[] => {
    const bytes = leaves.get(leaf);
    const decodedNetwork = bytes ? decodeNetwork(bytes, null) : null;
    if (!decodedNetwork?.ok) return [];
    const fees = String(decodedNetwork.value.feeSum);
    return [
      {
        label: { id: "altered-copy.networkFees" },
        format: { is: "decimal", scale: 8, unit: "BTC" },
        target: { in: "network", leaf },
        value: fees,
        falseValue: increaseByTenth(fees),
      },
    ];
  });
}

function readWorld(leaves: Leaves): WorldLeaf | null {
  const bytes = leaves.get(0);
  const world = bytes ? decodeWorld(bytes) : null;
  return world?.ok ? world.value : null;
}

const formatSecond = (secondMs: number) => new Date(secondMs).toISOString().slice(11, 19);

/** Creates a value to falsify at `path` of the receipt. */
export function alter(
  id: string,
  form: ValueFormat,
  path: Path,
  value: string | number,
  falseValue: string | number,
  values?: Label["values"],
): Alterable {
  const label = values ? { id, values } : { id };
  return { label, format: form, target: { in: "receipt", path }, value, falseValue };
}

/** The acceptance time, falsified to a later time at which the entry price was already known. */
export const createAcceptedTime = (path: Path, atMs: number) =>
  alter("receipt.hosting.accepted", timeFormat, path, atMs, atMs + halfMinuteMs);

export const halfMinuteMs = 30_000;

export const createAmountFormat = (coin: Coin): ValueFormat => ({
  is: "decimal",
  scale: coinScale(coin),
  unit: coin,
});
export const unitsFormat: ValueFormat = { is: "decimal", scale: 8, unit: null };
export const timeFormat: ValueFormat = { is: "time" };
export const textFormat: ValueFormat = { is: "text" };
export const outcomeFormat: ValueFormat = {
  is: "choice",
  options: ["won", "lost", "tie", "void"].map((value) => ({
    value,
    label: { id: `receipt.outcome.${value}` },
  })),
};
export const directionFormat: ValueFormat = {
  is: "choice",
  options: ["up", "down"].map((value) => ({
    value,
    label: { id: `altered-copy.direction.${value}` },
  })),
};

/** Increases an amount by a tenth, and always changes it. */
export function increaseByTenth(value: string): string {
  const amountValue = BigInt(value);
  const tenth = amountValue / 10n;
  return String(amountValue + (tenth === 0n ? 1n : tenth));
}

/** Increases a price by a thousandth, about the difference between two seconds. */
export function increaseSlightly(value: string): string {
  const amountValue = BigInt(value);
  return String(amountValue + amountValue / 1_000n + 1n);
}
