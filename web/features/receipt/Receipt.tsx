import { IconAlertTriangle, IconCircleCheck, IconDownload } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import { useIntl } from "react-intl";
import type { JournalOwner } from "#core/records/journalDemands.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import type { CheckedReceipt } from "#web/features/receipt/check.ts";
import { ContractSummary } from "#web/features/receipt/kinds/ContractSummary.tsx";
import { HostingSummary } from "#web/features/receipt/kinds/HostingSummary.tsx";
import { JournalSummary } from "#web/features/receipt/kinds/JournalSummary.tsx";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { LeaseSummary } from "#web/features/receipt/kinds/LeaseSummary.tsx";
import { MarkSummary } from "#web/features/receipt/kinds/MarkSummary.tsx";
import { TradeSummary } from "#web/features/receipt/kinds/TradeSummary.tsx";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import { StepList } from "#web/features/receipt/StepList.tsx";
import { type ReceiptCheckState, useReceiptCheck } from "#web/features/receipt/useReceiptCheck.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { saveFile } from "#web/lib/saveFile.ts";

/**
 * Lays out the receipt, its steps and what follows: stacked, or with the steps beside where there
 * is room.
 */
export type ReceiptFrame = (body: ReactNode, steps: ReactNode, after: ReactNode) => ReactNode;

interface ReceiptProps {
  receipt: unknown;
  /** Whose journal it is, to be checked for what only they can demand. */
  owner?: JournalOwner | null;
  frame?: ReceiptFrame;
}

/** A receipt of any kind, checked in this browser against the public log and shown step by step. */
export function Receipt(props: ReceiptProps) {
  const [turn, setTurn] = useState(0);
  return <CheckedOnce key={turn} {...props} again={() => setTurn(turn + 1)} />;
}

const stacked: ReceiptFrame = (body, steps, after) => (
  <>
    {body}
    {steps}
    {after}
  </>
);

function CheckedOnce({
  receipt,
  owner = null,
  frame = stacked,
  again,
}: ReceiptProps & { again: () => void }) {
  const t = useText();
  const check = useReceiptCheck(receipt, owner);
  const errorMessage = useErrorMessage();
  if (check.state === "unknown_format") {
    return frame(
      <div className="px-4 pt-4">
        <ErrorNote>{t("receipt.problem.format_unknown")}</ErrorNote>
      </div>,
      null,
      null,
    );
  }
  const steps = check.state === "done" ? check.result.steps : check.steps;
  return frame(
    <>
      <div className="px-4 pt-2" aria-live="polite">
        {check.state === "unreadable" ? (
          <ErrorNote onRetry={again}>
            {check.failure instanceof LogReadError
              ? t(`receipt.problem.${check.failure.problem}`)
              : errorMessage(check.failure)}
          </ErrorNote>
        ) : (
          <Verdict check={check} />
        )}
      </div>
      {check.state === "done" && check.result.detail ? (
        <Summary detail={check.result.detail} />
      ) : null}
    </>,
    steps.length > 0 ? (
      <Section
        title={t("receipt.steps")}
        note={t("receipt.steps.note")}
        kind="plain"
        className="[&>div:last-child]:px-0"
      >
        <StepList steps={steps} busy={check.state === "checking"} />
      </Section>
    ) : null,
    <>
      {check.state === "done" ? <Limits check={check} /> : null}
      <div className="flex flex-wrap gap-3 px-4 pt-6">
        <Button
          variant="outline"
          icon={<IconDownload size={20} aria-hidden="true" />}
          onClick={() => saveFile(fileName(receipt), `${JSON.stringify(receipt, null, 2)}\n`)}
        >
          {t("receipt.download")}
        </Button>
        {check.state === "done" ? (
          <Button variant="quiet" onClick={again}>
            {t("receipt.again")}
          </Button>
        ) : null}
      </div>
    </>,
  );
}

function fileName(receipt: unknown): string {
  const { order, journal, lease, pool_id, number } = receipt as {
    order?: { order_id?: unknown };
    journal?: { id?: unknown };
    lease?: { lease_id?: unknown };
    pool_id?: unknown;
    number?: unknown;
  };
  const ofTrade = typeof pool_id === "string" && typeof number === "number";
  const named =
    order?.order_id ??
    journal?.id ??
    lease?.lease_id ??
    (ofTrade ? `${pool_id}-${number}` : undefined);
  const id = typeof named === "string" ? named : "receipt";
  return `drydock-receipt-${id.replaceAll(/[^0-9A-Za-z-]/g, "")}.json`;
}

function Summary({ detail }: { detail: ReceiptDetail }) {
  switch (detail.of) {
    case "contract":
      return <ContractSummary detail={detail} />;
    case "journal":
      return <JournalSummary detail={detail} />;
    case "lease":
      return <LeaseSummary detail={detail} />;
    case "hosting":
      return <HostingSummary detail={detail} />;
    case "trade":
      return <TradeSummary detail={detail} />;
    case "mark":
      return <MarkSummary detail={detail} />;
  }
}

function Verdict({ check }: { check: Extract<ReceiptCheckState, { state: "checking" | "done" }> }) {
  const t = useText();
  if (check.state === "checking") {
    return (
      <Banner icon={<Spinner />} title={t("receipt.checking")}>
        {t("receipt.checking.note", { done: check.steps.length })}
      </Banner>
    );
  }
  if (check.result.ok) {
    return (
      <Banner icon={<IconCircleCheck size={24} aria-hidden="true" />} title={t("receipt.agrees")}>
        {t("receipt.agrees.not")}
      </Banner>
    );
  }
  const failed = check.result.steps.find(({ ok }) => !ok);
  const text = `${failed ? t(`receipt.problem.${failed.problem}`) : ""} ${t("receipt.differs.next")}`;
  return (
    <Banner
      bad
      icon={<IconAlertTriangle size={24} aria-hidden="true" />}
      title={t("receipt.differs", { step: failed ? t(`receipt.step.${failed.step}`) : "" })}
    >
      {text}
    </Banner>
  );
}

function Banner({
  icon,
  title,
  bad,
  children,
}: {
  icon: ReactNode;
  title: string;
  bad?: boolean;
  children: ReactNode;
}) {
  return (
    <div
      className={cx(
        "flex gap-3 rounded-dock border px-4 py-3.5",
        bad ? "border-flare bg-flare-wash" : "border-line-strong bg-leaf",
      )}
    >
      <span className={cx("mt-0.5 shrink-0", bad && "text-flare")}>{icon}</span>
      <div className="min-w-0">
        <p className="font-strong">{title}</p>
        <p className="text-small text-ink-soft">{children}</p>
      </div>
    </div>
  );
}

/** What a check in this browser cannot show, stated as plainly as what it did. */
function Limits({ check }: { check: Extract<ReceiptCheckState, { state: "done" }> }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { log, detail } = check.result;
  const seen = log?.before;
  const market = detail?.receipt.market;
  return (
    <Section title={t("receipt.limits")} kind="plain">
      <ul className="grid list-disc gap-2 pl-5 text-small text-ink-soft marker:text-ink-faint">
        <li>{t("receipt.limits.operator")}</li>
        {log ? <WitnessLimits witnesses={log.witnesses} /> : null}
        {log ? (
          <li>
            {seen
              ? t("receipt.limits.seen", {
                  size: seen.size,
                  date: formatDate(seen.seenMs, { dateStyle: "medium", timeStyle: "short" }),
                })
              : t("receipt.limits.first")}
          </li>
        ) : null}
        {market ? (
          <li>
            {t(
              ["simulated", "replay", "live"].includes(market.kind)
                ? `receipt.market.${market.kind}`
                : "receipt.market.unknown",
              { speed: market.speed },
            )}
          </li>
        ) : null}
        <li>{t("receipt.limits.independent")}</li>
      </ul>
    </Section>
  );
}

type Witnesses = NonNullable<CheckedReceipt<ReceiptDetail>["log"]>["witnesses"];

/** Who else saw the log, up to where, and whether that reaches this receipt. */
function WitnessLimits({ witnesses }: { witnesses: Witnesses }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { configured, count, size, atMs, covers } = witnesses;
  return (
    <>
      <li>{t("receipt.limits.witnesses", { configured, count })}</li>
      {atMs === null ? null : (
        <li>
          {t("receipt.limits.witnesses.signed", {
            size,
            date: formatDate(atMs, { dateStyle: "medium", timeStyle: "short" }),
          })}
        </li>
      )}
      {atMs === null || covers ? null : <li>{t("receipt.limits.witnesses.beyond")}</li>}
    </>
  );
}
