import type { BooksBody } from "#core/hosting/bodies.ts";
import {
  checkMark,
  listMarkLeavesBehind,
  listNeededMarkLeaves,
} from "#core/hosting/receipt/markReceipt.ts";
import {
  checkHostingOrder,
  listHostingLeavesBehind,
  listNeededHostingLeaves,
} from "#core/hosting/receipt/receipt.ts";
import {
  type HostingReceipt,
  hostingReceiptFormat,
  type MarkReceipt,
  markReceiptFormat,
  parseHostingReceipt,
  parseMarkReceipt,
  parseTradeReceipt,
  type TradeReceipt,
  tradeReceiptFormat,
} from "#core/hosting/receipt/receiptSchema.ts";
import type { HostingCheckStep } from "#core/hosting/receipt/receiptSteps.ts";
import {
  checkTrade,
  listNeededTradeLeaves,
  listTradeLeavesBehind,
} from "#core/hosting/receipt/tradeReceipt.ts";
import type { FillCosts } from "#core/market/fillCosts.ts";
import type { CheckStep, ReceiptKind } from "#web/features/receipt/check.ts";

/** The contents of the receipt of a subscription or redemption besides its steps. */
export interface HostingDetail {
  kind: "hosting";
  receipt: HostingReceipt;
}

/** The contents of a paper trade's receipt besides its steps. */
export interface TradeDetail {
  kind: "trade";
  receipt: TradeReceipt;
  /** The decision as logged; null on a mismatch. */
  decision: BooksBody["decision"];
  /** The costs between the mids of the decision and the fills; null on a mismatch. */
  costs: FillCosts | null;
}

/** The contents of a mark's receipt besides its steps. */
export interface MarkDetail {
  kind: "mark";
  receipt: MarkReceipt;
}

const toStep = ({ step, ok, difference, inputs }: HostingCheckStep): CheckStep => ({
  step,
  ok,
  mismatch: difference,
  inputs,
});

/** The receipt of a subscription or redemption (docs/formats/hosting.md). */
export const hostingKind: ReceiptKind<HostingDetail> = {
  format: hostingReceiptFormat,
  getLog: (value) => parseHostingReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseHostingReceipt(value);
    return receipt && listNeededHostingLeaves(receipt);
  },
  listDependentLeaves: (value, _world, _leaves, size) => {
    const receipt = parseHostingReceipt(value);
    return receipt ? listHostingLeavesBehind(receipt, size) : [];
  },
  check: (value, world, leaves) => {
    const { ok, steps } = checkHostingOrder(value, world, leaves);
    return {
      ok,
      steps: steps.map(toStep),
      detail: { kind: "hosting", receipt: parseHostingReceipt(value)! },
    };
  },
};

/** The receipt of a pool's paper trade (docs/formats/hosting.md). */
export const tradeKind: ReceiptKind<TradeDetail> = {
  format: tradeReceiptFormat,
  getLog: (value) => parseTradeReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseTradeReceipt(value);
    return receipt && listNeededTradeLeaves(receipt);
  },
  listDependentLeaves: (value, world, leaves) => {
    const receipt = parseTradeReceipt(value);
    return receipt ? listTradeLeavesBehind(receipt, world, leaves) : [];
  },
  check: (value, world, leaves) => {
    const { ok, steps, decision, costs } = checkTrade(value, world, leaves);
    const receipt = parseTradeReceipt(value)!;
    return {
      ok,
      steps: steps.map(toStep),
      detail: { kind: "trade", receipt, decision: decision?.decision ?? null, costs },
    };
  },
};

/** The receipt of a pool's mark (docs/formats/hosting.md). */
export const markKind: ReceiptKind<MarkDetail> = {
  format: markReceiptFormat,
  getLog: (value) => parseMarkReceipt(value)?.log ?? null,
  listLeaves: (value) => {
    const receipt = parseMarkReceipt(value);
    return receipt && listNeededMarkLeaves(receipt);
  },
  listDependentLeaves: (value, world, leaves) => {
    const receipt = parseMarkReceipt(value);
    return receipt ? listMarkLeavesBehind(receipt, world, leaves) : [];
  },
  check: (value, world, leaves) => {
    const { ok, steps } = checkMark(value, world, leaves);
    return {
      ok,
      steps: steps.map(toStep),
      detail: { kind: "mark", receipt: parseMarkReceipt(value)! },
    };
  },
};
