import LuckText from "#web/features/money/LuckText.tsx";
import MoneyBar from "#web/features/money/MoneyBar.tsx";
import RunningChip from "#web/features/money/RunningChip.tsx";
import type { AccountView } from "#web/features/money/useAccount.ts";

/** Below the total: open orders, where the money is, and what luck does. */
export default function AccountDetailsBody({ view }: { view: AccountView }) {
  return (
    <div className="mt-3">
      <RunningChip />
      <div className="mt-3">
        <MoneyBar view={view} />
      </div>
      <LuckText className="mt-2" />
    </div>
  );
}
