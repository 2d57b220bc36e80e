import { checkReceipt, type ReceiptCheck } from "#core/contracts/receipt.ts";
import {
  type ContractReceipt,
  leavesNeeded,
  parseReceipt,
  receiptFormat,
} from "#core/contracts/receiptSchema.ts";
import { indexValue } from "#core/market/indexValue.ts";
import { worldTag } from "#core/transparency-log/leaf.ts";
import { span } from "#core/transparency-log/provenLeaves.ts";
import { decodeSecond } from "#core/transparency-log/secondLeaf.ts";
import { listedQuotes, type WorldLeaf } from "#core/transparency-log/worldLeaf.ts";
import type { CheckStep, ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of a contract's receipt besides its steps. */
export interface ContractDetail {
  of: "contract";
  receipt: ContractReceipt;
  check: ReceiptCheck;
  priceScale: number;
}

/** The receipt of an up/down contract (docs/formats/receipt.md). */
export const contractKind: ReceiptKind<ContractDetail> = {
  format: receiptFormat,
  logOf: (value) => {
    const log = parseReceipt(value)?.log;
    return log && typeof log.origin === "string" && typeof log.vkey === "string" ? log : null;
  },
  leavesOf: (value) => {
    const receipt = parseReceipt(value);
    if (!receipt) return null;
    return leavesNeeded(receipt).flatMap((range) => span(...range));
  },
  check: (value, world, leaves, _size, verify, verifyRound) => {
    const receipt = parseReceipt(value)!;
    const check = checkReceipt(value, world, leaves, verify, verifyRound);
    const steps: CheckStep[] = check.steps.map(({ step, ok, difference, inputs }) => ({
      step,
      ok,
      problem: difference,
      inputs,
    }));
    const symbol = world.symbols.find(({ name }) => name === check.order?.symbol);
    const detail = { of: "contract", receipt, check, priceScale: symbol?.scale ?? 0 } as const;
    if (!check.ok) return { ok: false, steps, detail };
    const index = checkIndex(check, world, leaves);
    return { ok: index.ok, steps: [...steps, index], detail };
  },
};

/** Recomputes the index of every included second leaf from the venue quotes that came with it. */
function checkIndex(
  check: ReceiptCheck,
  world: WorldLeaf,
  leaves: ReadonlyMap<number, Uint8Array>,
): CheckStep {
  const column = world.symbols.findIndex(({ name }) => name === check.order?.symbol);
  const tag = worldTag(world.world);
  let seconds = 0;
  for (const [leaf, bytes] of leaves) {
    const read = decodeSecond(bytes, tag);
    if (!read.ok) continue;
    const { index, quotes } = read.value;
    seconds += 1;
    const quoted = indexValue(listedQuotes(world, quotes, column));
    if (quoted === (index[column] ?? null)) continue;
    const inputs = { leaf, index: String(index[column]), recomputed: String(quoted) };
    return { step: "index", ok: false, problem: "index_differs", inputs };
  }
  const inputs = { seconds, venues: world.symbols[column]?.venues.length ?? 0 };
  return { step: "index", ok: true, problem: null, inputs };
}
