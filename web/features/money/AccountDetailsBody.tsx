import LuckText from "#web/features/money/LuckText.tsx";
import RunningChip from "#web/features/money/RunningChip.tsx";

/** Details below the total and today's result: the open orders, and the effect of luck. */
export default function AccountDetailsBody() {
  return (
    <div className="mt-3 flex flex-col items-start gap-3 empty:hidden">
      <RunningChip />
      <LuckText />
    </div>
  );
}
