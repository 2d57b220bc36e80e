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

/** Splits the total into the available, the invested and the held amount. */
function HeldPart({ view }: { view: AccountView }) {
  const t = useText();
  const amount = (part: string, value: bigint) => (
    <DisplayAmount key={part} view={view} value={value} />
  );
  const free = amount("free", view.state.free);
  const work = amount("work", view.result.atWork);
  const held = amount("held", view.state.held);
  return <p className="text-small text-ink-soft">{t("results.bar", { free, work, held })}</p>;
}
