import LuckText from "#web/features/money/LuckText.tsx";
import RunningChip from "#web/features/money/RunningChip.tsx";

/** Below the total and today's result: open orders, and what luck does. */
export default function AccountDetailsBody() {
  return (
    <div className="mt-3 flex flex-col items-start gap-3 empty:hidden">
      <RunningChip />
      <LuckText />
    </div>
  );
}
