import { allowance, explainTransaction } from "#web/screens/wallet-requests/explain/calldata.ts";
import { finding, type RequestFinding } from "#web/screens/wallet-requests/explain/finding.ts";

type UntypedObject = Record<string, unknown>;

/**
 * Explains the effect of signing EIP-712 data: whoever holds such a signature can use it later,
 * without paying a fee.
 */
export function explainTypedData(data: UntypedObject): RequestFinding[] {
  const message = objectOf(data.message);
  const domain = objectOf(data.domain);
  const token = textOf(domain.verifyingContract);
  const spender = textOf(message.spender);
  switch (data.primaryType) {
    case "Permit":
      if (typeof message.allowed === "boolean") {
        return [allowance(token, spender, message.allowed ? 1n << 255n : 0n, true)];
      }
      return [allowance(token, spender, numberOf(message.value), true)];
    case "PermitSingle":
    case "PermitBatch":
      return detailsOf(message.details).map((detail) =>
        allowance(textOf(detail.token), spender, numberOf(detail.amount), true),
      );
    case "PermitTransferFrom":
    case "PermitWitnessTransferFrom":
    case "PermitBatchTransferFrom":
    case "PermitBatchWitnessTransferFrom":
      return detailsOf(message.permitted).map((detail) =>
        finding("takes", "signedTransfer", {
          token: textOf(detail.token),
          spender,
          amount: `${numberOf(detail.amount)}`,
        }),
      );
    case "OrderComponents":
    case "BulkOrder":
    case "Order":
      return [finding("takes", "signedOrder", { name: nameOf(domain) })];
    case "SafeTx":
      // Operation 1 (delegatecall) runs the other contract's code as the wallet's own: it may
      // change its owners.
      return [
        finding("careful", "groupTransaction", { contract: token }),
        ...(numberOf(message.operation ?? 0) === 0n ? [] : [finding("takes", "delegates")]),
        ...explainTransaction({ ...message, value: hexOf(message.value) }),
      ];
    default:
      return [
        finding("careful", "typedData", { name: nameOf(domain), type: textOf(data.primaryType) }),
      ];
  }
}

function nameOf(domain: UntypedObject): string {
  return textOf(domain.name) || textOf(domain.verifyingContract);
}

function detailsOf(value: unknown): UntypedObject[] {
  const list = Array.isArray(value) ? value : [value];
  return list.slice(0, 50).map(objectOf);
}

function objectOf(value: unknown): UntypedObject {
  return typeof value === "object" && value !== null ? (value as UntypedObject) : {};
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "?";
}

function hexOf(value: unknown): string {
  return `0x${numberOf(value ?? 0).toString(16)}`;
}

/**
 * An unreadable number counts as unlimited: the reader must never call something harmless that it
 * did not understand.
 */
function numberOf(value: unknown): bigint {
  try {
    return BigInt(value as string | number);
  } catch {
    return 1n << 255n;
  }
}
