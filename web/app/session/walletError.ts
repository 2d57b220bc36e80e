import { WalletAnswerError } from "#web/app/session/provider.ts";

/** What went wrong with a wallet, as the last part of a message id `signin.wallet.error.…`. */
export type WalletFault =
  | "rejected"
  | "pending"
  | "locked"
  | "unauthorised"
  | "unsupported"
  | "disconnected"
  | "answer"
  | "unknown";

/** EIP-1193 and EIP-1474 codes, some of which wallets wrap once more. */
export function walletFault(failure: unknown): WalletFault {
  if (failure instanceof WalletAnswerError) return "answer";
  switch (codeOf(failure)) {
    case 4001:
    case "ACTION_REJECTED":
      return "rejected";
    case 4100:
      return "unauthorised";
    case 4200:
    case -32601:
    case -32004:
      return "unsupported";
    case 4900:
    case 4901:
      return "disconnected";
    case -32002:
      return "pending";
  }
  const words = failure instanceof Error ? failure.message : String(failure);
  if (/reject|denied|cancel/i.test(words)) return "rejected";
  if (/already (pending|processing)/i.test(words)) return "pending";
  if (/lock/i.test(words)) return "locked";
  return "unknown";
}

function codeOf(failure: unknown): unknown {
  if (typeof failure !== "object" || failure === null) return undefined;
  const { code, data, error } = failure as { code?: unknown; data?: unknown; error?: unknown };
  if (code !== undefined && code !== -32603) return code;
  return codeOf((data as { originalError?: unknown } | undefined)?.originalError ?? error);
}
