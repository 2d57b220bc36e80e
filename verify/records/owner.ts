import { MismatchError, sha256 } from "../log/bytes.ts";
import type { JournalReceipt } from "./journalSchema.ts";

/**
 * The commitment of accounts to a wallet (docs/rules/ledger.md, "The chain"): a secret salt and its
 * address.
 */
export interface Owner {
  address: string;
  /** 32 bytes in hex. */
  salt: string;
}

/** Checks that every account of a receipt is this owner's. Returns the step's sentence. */
export function checkOwner({ accounts }: JournalReceipt, { address, salt }: Owner): string {
  const mark = sha256(
    Buffer.from("drydock.owner/1\n"),
    Buffer.from(salt, "hex"),
    Buffer.from(address.toLowerCase()),
  ).toString("hex");
  const otherAccount = accounts.find((account) => account.mark !== mark);
  if (otherAccount)
    throw new MismatchError(
      "owner",
      "owner_differs",
      `account ${otherAccount.account} is of no such wallet`,
    );
  return `All ${accounts.length} accounts start from the mark of ${address}.`;
}
