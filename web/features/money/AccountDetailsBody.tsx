import LuckText from "#web/features/money/LuckText.tsx";
import MoneyBar from "#web/features/money/MoneyBar.tsx";
import RunningChip from "#web/features/money/RunningChip.tsx";
import { useAccount } from "#web/features/money/useAccount.ts";

/** Below the total: open orders, where the money is, and what luck does. */
export default function AccountDetailsBody() {
  const { view } = useAccount();
  return (
    <div className="mt-3">
      <RunningChip />
      <div className="mt-3">{view ? <MoneyBar view={view} /> : null}</div>
      <LuckText className="mt-2" />
    </div>
  );
}
