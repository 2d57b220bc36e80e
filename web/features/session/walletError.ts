import {
  NoAccountError,
  WalletAnswerError,
  WalletRequestError,
} from "#web/features/session/provider.ts";

/** A wallet failure, as the last part of a message id `sign-in.wallet.error.…`. */
export type WalletErrorCode =
  | "rejected"
  | "pending"
  | "locked"
  | "unauthorised"
  | "unsupported"
  | "disconnected"
  | "answer"
  | "unknown";

/** Classifies an error by its EIP-1193 or EIP-1474 code, which some wallets wrap once more. */
export function getWalletErrorCode(error: unknown): WalletErrorCode {
  if (error instanceof WalletRequestError) return getWalletErrorCode(error.cause);
  if (error instanceof WalletAnswerError) return "answer";
  if (error instanceof NoAccountError) return "locked";
  switch (getCode(error)) {
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
  const words = toWords(error);
  if (/reject|denied|cancel/i.test(words)) return "rejected";
  if (/already (pending|processing)/i.test(words)) return "pending";
  if (/lock/i.test(words)) return "locked";
  return "unknown";
}

/** An object may have no string form; converting it would throw. */
function toWords(error: unknown): string {
  const words: unknown = error instanceof Error ? error.message : error;
  return typeof words === "string" ? words : "";
}

/** Wallets wrap an error once or twice; the limit guards against one that contains itself. */
function getCode(failure: unknown, levels = 4): unknown {
  if (typeof failure !== "object" || failure === null || levels === 0) return undefined;
  const { code, data, error } = failure as { code?: unknown; data?: unknown; error?: unknown };
  if (code !== undefined && code !== -32603) return code;
  const inner = (data as { originalError?: unknown } | null | undefined)?.originalError ?? error;
  return getCode(inner, levels - 1);
}
