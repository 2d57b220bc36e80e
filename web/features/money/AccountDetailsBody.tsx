import { useText } from "#i18n/useText.ts";
import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import LuckText from "#web/features/money/LuckText.tsx";
import RunningChip from "#web/features/money/RunningChip.tsx";
import { type AccountView, useAccount } from "#web/features/money/useAccount.ts";

/**
 * Below the total and today's result: how much of the total is set aside for a withdrawal, open
 * orders, and what luck does.
 */
export default function AccountDetailsBody() {
  const { view } = useAccount();
  return (
    <div className="mt-3 flex flex-col items-start gap-3 empty:hidden">
      {view && view.state.held > 0n ? <HeldPart view={view} /> : null}
      <RunningChip />
      <LuckText />
    </div>
  );
}

/** What of the total can be used at once, what is at work, and what waits for a withdrawal. */
function HeldPart({ view }: { view: AccountView }) {
  const t = useText();
  const amount = (value: bigint) => <DisplayAmount key={`${value}`} view={view} value={value} />;
  const free = amount(view.state.free);
  const work = amount(view.result.atWork);
  const held = amount(view.state.held);
  return <p className="text-small text-ink-soft">{t("results.bar", { free, work, held })}</p>;
}
