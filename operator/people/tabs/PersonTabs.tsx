import type { ViewedPart } from "#core/operator/viewing.ts";
import { AccountPart } from "#operator/people/tabs/AccountTab.tsx";
import { OrdersPart } from "#operator/people/tabs/OrdersTab.tsx";
import { RecordsPart } from "#operator/people/tabs/RecordsTab.tsx";
import { WalletPart } from "#operator/people/tabs/WalletTab.tsx";
import { WithdrawalsPart } from "#operator/people/tabs/WithdrawalsTab.tsx";

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
