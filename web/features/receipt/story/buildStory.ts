import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";

interface Story {
  /** The message: three sentences. */
  id: string;
  values: Record<string, string | number>;
}

/** The story of a receipt that agrees, from what its check recomputed. */
export function buildStory(detail: ReceiptDetail): Story {
  switch (detail.kind) {
    case "contract":
      return buildContractStory(detail);
    case "journal": {
      // Only an exchange has figures that follow from a price.
      const isExchange = detail.receipt.facts.rate !== undefined;
      return { id: isExchange ? "receipt-story.exchange" : "receipt-story.journal", values: {} };
    }
    case "lease": {
      const days = detail.receipt.payouts.length;
      return {
        id: days === 0 ? "receipt-story.lease.new" : "receipt-story.lease",
        values: { days },
      };
    }
    case "hosting": {
      const { order, result } = detail.receipt;
      if (result.outcome === "returned")
        return { id: "receipt-story.hosting.returned", values: {} };
      return { id: "receipt-story.hosting", values: { action: order.action } };
    }
    case "trade": {
      const net = BigInt(detail.receipt.result.net);
      const result = net > 0n ? "gain" : net < 0n ? "loss" : "even";
      return { id: "receipt-story.trade", values: { result } };
    }
    default:
      return { id: `receipt-story.${detail.kind}`, values: {} };
  }
}

type Contract = Extract<ReceiptDetail, { kind: "contract" }>;

function buildContractStory({ receipt, check }: Contract): Story {
  const { window, entryPrice, settlementPrice } = check;
  if (receipt.result.outcome === "void" || entryPrice === null || settlementPrice === null) {
    return {
      id: "receipt-story.contract.void",
      values: { reason: receipt.result.void_reason ?? "" },
    };
  }
  const usedCount = window.filter((sample) => sample.used).length;
  const present = window.filter(({ value }) => value !== null).length;
  const isWithin = receipt.result.outcome === "tie" && settlementPrice !== entryPrice;
  const side =
    settlementPrice > entryPrice ? "above" : settlementPrice < entryPrice ? "below" : "equal";
  return {
    id: "receipt-story.contract",
    values: { used: usedCount, present, side: isWithin ? "within" : side },
  };
}
