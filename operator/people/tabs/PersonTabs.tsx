import type { ViewedSection } from "#core/operator/viewing.ts";
import { AccountTab } from "#operator/people/tabs/AccountTab.tsx";
import { OrdersTab } from "#operator/people/tabs/OrdersTab.tsx";
import { RecordsTab } from "#operator/people/tabs/RecordsTab.tsx";
import { WalletTab } from "#operator/people/tabs/WalletTab.tsx";
import { WithdrawalsTab } from "#operator/people/tabs/WithdrawalsTab.tsx";

const byName = {
  wallet: WalletTab,
  orders: OrdersTab,
  withdrawals: WithdrawalsTab,
  records: RecordsTab,
  account: AccountTab,
} as const satisfies Record<ViewedSection, unknown>;

/** One tab of a person's pages. */
export default function PersonTabs({ tab, viewingId }: { tab: ViewedSection; viewingId: string }) {
  const Part = byName[tab];
  return <Part viewingId={viewingId} />;
}
