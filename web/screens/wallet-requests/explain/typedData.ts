import {
  explainAllowance,
  explainTransaction,
} from "#web/screens/wallet-requests/explain/calldata.ts";
import {
  createFinding,
  type RequestFinding,
} from "#web/screens/wallet-requests/explain/finding.ts";

type UntypedObject = Record<string, unknown>;

/**
 * Explains the effect of signing EIP-712 data: whoever holds such a signature can use it later,
 * without paying a fee.
 */
export function explainTypedData(data: UntypedObject): RequestFinding[] {
  const message = toObject(data.message);
  const domain = toObject(data.domain);
  const token = toText(domain.verifyingContract);
  const spender = toText(message.spender);
  switch (data.primaryType) {
    case "Permit":
      if (typeof message.allowed === "boolean") {
        return [explainAllowance(token, spender, message.allowed ? 1n << 255n : 0n, true)];
      }
      return [explainAllowance(token, spender, parseNumber(message.value), true)];
    case "PermitSingle":
    case "PermitBatch":
      return getDetails(message.details).map((detail) =>
        explainAllowance(toText(detail.token), spender, parseNumber(detail.amount), true),
      );
    case "PermitTransferFrom":
    case "PermitWitnessTransferFrom":
    case "PermitBatchTransferFrom":
    case "PermitBatchWitnessTransferFrom":
      return getDetails(message.permitted).map((detail) =>
        createFinding("takes", "signedTransfer", {
          token: toText(detail.token),
          spender,
          amount: `${parseNumber(detail.amount)}`,
        }),
      );
    case "OrderComponents":
    case "BulkOrder":
    case "Order":
      return [createFinding("takes", "signedOrder", { name: getName(domain) })];
    case "SafeTx":
      // Operation 1 (delegatecall) runs the other contract's code as the wallet's own: it may
      // change its owners.
      return [
        createFinding("careful", "groupTransaction", { contract: token }),
        ...(parseNumber(message.operation ?? 0) === 0n
          ? []
          : [createFinding("takes", "delegates")]),
        ...explainTransaction({ ...message, value: toHex(message.value) }),
      ];
    default:
      return [
        createFinding("careful", "typedData", {
          name: getName(domain),
          type: toText(data.primaryType),
        }),
      ];
  }
}

function getName(domain: UntypedObject): string {
  return toText(domain.name) || toText(domain.verifyingContract);
}

function getDetails(value: unknown): UntypedObject[] {
  const list = Array.isArray(value) ? value : [value];
  return list.slice(0, 50).map(toObject);
}

function toObject(value: unknown): UntypedObject {
  return typeof value === "object" && value !== null ? (value as UntypedObject) : {};
}

function toText(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 200) : "?";
}

function toHex(value: unknown): string {
  return `0x${parseNumber(value ?? 0).toString(16)}`;
}

/**
 * An unreadable number counts as unlimited: the reader must never call something harmless that it
 * did not understand.
 */
function parseNumber(value: unknown): bigint {
  try {
    return BigInt(value as string | number);
  } catch {
    return 1n << 255n;
  }
}
