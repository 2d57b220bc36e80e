import type { AnswerOf } from "#api/call.ts";
import type * as api from "#api/send.ts";
import { findLookAlike } from "#core/addresses/lookAlike.ts";
import { type Coin, coinScale } from "#core/money/coins.ts";
import { formatDecimal } from "#core/money/decimal.ts";
import { isCarriedBy, isNetwork, listNetworks } from "#core/wallet/networks.ts";
import type { Addresses } from "#server/addresses/addresses.ts";
import type { Ledger } from "#server/ledger/types.ts";
import { ApiError } from "#server/platform/apiError.ts";
import type { AppContext } from "#server/platform/context.ts";
import { createSendExecution, requireRecipient } from "#server/send/execute.ts";
import {
  explainSends,
  type RecipientRow,
  readCompared,
  readRecipient,
  readRecipients,
  readSend,
} from "#server/send/store.ts";
import type { SendRow } from "#server/send/types.ts";

const recentMax = 8;

export interface SendDeps {
  ledger: Ledger;
  addresses: Addresses;
  /** The addresses that a person gave names to. */
  addressBook: { list(userId: string): Promise<readonly { address: string }[]> };
}

/** Sending and receiving on the server (docs/rules/wallet.md, "Send and receive"). */
export function createSend(ctx: AppContext, { ledger, addresses, addressBook }: SendDeps) {
  const { db } = ctx.database;
  return {
    ledger,
    move: createSendExecution(ctx, ledger, addresses),
    /** The transfer under a journal, as on the wire; null if it is not this person's. */
    find: async (userId: string, id: string) => {
      const row = await readSend(db, userId, id);
      return row && toSendView(row);
    },
    receive: async (userId: string, coin: Coin, requested: string | undefined) => {
      const networks = listNetworks(coin);
      const network = requested ?? networks[0]!;
      if (!isNetwork(network)) throw new ApiError("address.network_unknown");
      if (!isCarriedBy(network, coin))
        throw new ApiError("address.wrong_network", { network, coin });
      await addresses.register(userId);
      return { coin, network, address: addresses.own(userId, network), networks };
    },
    check: async (
      userId: string,
      params: { coin: Coin; address: string },
    ): Promise<AnswerOf<typeof api.checkRecipient>> => {
      const { network, address } = await requireRecipient(addresses, userId, params);
      const [before, sentTo, savedAddresses] = await Promise.all([
        readRecipient(db, userId, address),
        readCompared(db, userId),
        addressBook.list(userId),
      ]);
      const inUse = [...sentTo, ...savedAddresses].map((item) => item.address);
      if (before) inUse.push(address);
      return {
        ...toRecipientView(before ?? { network, address, times: 0n, at_ms: null }),
        looks_like: findLookAlike(address, inUse),
      };
    },
    recipients: async (userId: string, coin: Coin) => {
      const rows = await readRecipients(db, userId, listNetworks(coin), recentMax);
      return { items: rows.map(toRecipientView) };
    },
    explain: (journalIds: string[]) => explainSends(db, journalIds),
  };
}
export type Sends = ReturnType<typeof createSend>;

export function toSendView({ journal_id, coin, amount, network, to_address, at_ms }: SendRow) {
  return {
    journal_id,
    coin,
    amount: formatDecimal(amount, coinScale(coin)),
    network,
    address: to_address,
    at_ms: Number(at_ms),
  };
}

type ShownRecipient = Omit<RecipientRow, "at_ms"> & { at_ms: bigint | null };

function toRecipientView({ network, address, times, at_ms }: ShownRecipient) {
  return {
    network,
    address,
    sent_before: Number(times),
    last_sent_at_ms: at_ms === null ? null : Number(at_ms),
  };
}
