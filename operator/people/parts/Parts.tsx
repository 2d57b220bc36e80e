import type { ViewedPart } from "#core/operator/viewing.ts";
import { AccountPart } from "#operator/people/parts/AccountPart.tsx";
import { OrdersPart } from "#operator/people/parts/OrdersPart.tsx";
import { RecordsPart } from "#operator/people/parts/RecordsPart.tsx";
import { WalletPart } from "#operator/people/parts/WalletPart.tsx";
import { WithdrawalsPart } from "#operator/people/parts/WithdrawalsPart.tsx";

const byName = {
  wallet: WalletPart,
  orders: OrdersPart,
  withdrawals: WithdrawalsPart,
  records: RecordsPart,
  account: AccountPart,
} as const satisfies Record<ViewedPart, unknown>;

/** One part of a person's pages. */
export default function Parts({ part, viewingId }: { part: ViewedPart; viewingId: string }) {
  const Part = byName[part];
  return <Part viewingId={viewingId} />;
}
