import { IconChevronDown } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { resultParts, type WorkLine, workLines } from "#core/records/accountResult.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Link } from "#ui/router.tsx";
import { DisplayAmount } from "#web/features/money/DisplayAmount.tsx";
import type { AccountView } from "#web/features/money/useAccount.ts";

const linkOf: Record<WorkLine, string> = {
  contract: "/business/orders",
  hosting: "/ai/record",
  mining: "/mining/record",
};

/** Total = free + at work + held, as one bar; each part opens its contents. */
export default function MoneyBar({ view }: { view: AccountView }) {
  const t = useText();
  const { state, result } = view;
  const parts = [
    { name: "free", amount: state.free, look: "bg-ink" },
    { name: "work", amount: result.atWork, look: "bg-ink-faint" },
    { name: "held", amount: state.held, look: "bg-line-strong" },
  ];
  return (
    <div>
      <div className="flex h-3 gap-px overflow-hidden rounded-full bg-well" aria-hidden="true">
        {parts.map(({ name, amount, look }) =>
          amount > 0n ? (
            <span
              key={name}
              className={look}
              style={{ flexGrow: Number((amount * 10_000n) / (result.total || 1n)), minWidth: 3 }}
            />
          ) : null,
        )}
      </div>
      <div className="mt-1">
        <Part
          look="bg-ink"
          label={t("results.free")}
          amount={<DisplayAmount view={view} value={state.free} />}
        >
          <Row label={t("results.free.text")} to="/wallet" className="min-h-11 text-small" />
        </Part>
        <Part
          look="bg-ink-faint"
          label={t("results.work")}
          amount={<DisplayAmount view={view} value={result.atWork} />}
        >
          {workLines.map((line) => (
            <Row
              key={line}
              label={t(`results.work.${line}`)}
              value={<DisplayAmount view={view} value={state.atWork[line]} />}
              to={linkOf[line]}
              className="min-h-11 text-small"
            />
          ))}
        </Part>
        <Part
          look="bg-line-strong"
          label={t("results.held")}
          amount={<DisplayAmount view={view} value={state.held} />}
        >
          <Row
            label={t("results.held.text")}
            to="/wallet-record?group=withdraw"
            className="min-h-11 text-small"
          />
        </Part>
      </div>
      {/* Before anything has moved, the question would only worry people. */}
      {result.takenOut > 0n || resultParts.some((part) => result.parts[part] !== 0n) ? (
        <Link
          to="/wallet?do=where"
          className="-mx-2 inline-flex min-h-11 items-center rounded-dock px-2 text-small text-signal-ink hover:underline"
        >
          {t("results.where")}
        </Link>
      ) : null}
    </div>
  );
}

function Part({
  look,
  label,
  amount,
  children,
}: {
  look: string;
  label: string;
  amount: ReactNode;
  children: ReactNode;
}) {
  return (
    <details>
      <summary className="flex min-h-11 cursor-pointer items-center gap-2 text-small">
        <span className={`size-2 shrink-0 ${look}`} aria-hidden="true" />
        <span className="flex-1">{label}</span>
        {amount}
        <IconChevronDown size={16} className="shrink-0 text-signal-ink" aria-hidden="true" />
      </summary>
      <div>{children}</div>
    </details>
  );
}
