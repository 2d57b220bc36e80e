import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { JournalOwner } from "#core/records/journalRequirements.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { Spinner } from "#ui/Spinner.tsx";
import { Banner } from "#web/features/receipt/Banner.tsx";
import { EvidenceKey } from "#web/features/receipt/evidence/EvidenceKey.tsx";
import { ActSummary, PublicationSummary } from "#web/features/receipt/kinds/AuditSummary.tsx";
import { ContractSummary } from "#web/features/receipt/kinds/ContractSummary.tsx";
import { HostingSummary } from "#web/features/receipt/kinds/HostingSummary.tsx";
import { JournalSummary } from "#web/features/receipt/kinds/JournalSummary.tsx";
import type { ReceiptDetail } from "#web/features/receipt/kinds/kinds.ts";
import { LeaseSummary } from "#web/features/receipt/kinds/LeaseSummary.tsx";
import { MarkSummary } from "#web/features/receipt/kinds/MarkSummary.tsx";
import { TradeSummary } from "#web/features/receipt/kinds/TradeSummary.tsx";
import { Limits } from "#web/features/receipt/Limits.tsx";
import { LogReadError } from "#web/features/receipt/logReader.ts";
import { SaveReceipt } from "#web/features/receipt/SaveReceipt.tsx";
import { StepList } from "#web/features/receipt/StepList.tsx";
import { type ReceiptCheckState, useReceiptCheck } from "#web/features/receipt/useReceiptCheck.ts";
import type { SharedDetail } from "#web/features/receipt-links/sharedFacts.tsx";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { PartBoundary } from "#web/lib/start/PartBoundary.tsx";

const Story = lazyComponent(
  () => import("#web/features/receipt/story/Story.tsx"),
  ["receipt-story"],
  null,
);
const TryToCheat = lazyComponent(
  () => import("#web/features/receipt/tampering/TryToCheat.tsx"),
  ["altered-copy", "receipt"],
  null,
);
const ShareReceipt = lazyComponent(
  () => import("#web/features/receipt-links/ShareReceipt.tsx"),
  ["receipt-links", "receipt"],
  null,
);

/**
 * Lays out the receipt, its steps and what follows: stacked, or with the steps beside the receipt
 * where there is room.
 */
export type ReceiptFrame = (body: ReactNode, steps: ReactNode, after: ReactNode) => ReactNode;

interface ReceiptProps {
  receipt: unknown;
  /** The owner of the journal, for the checks that only they can demand. */
  owner?: JournalOwner | null;
  /** True if the reader is the one whose receipt it is. */
  isOwn?: boolean;
  /** True if the receipt's owner shared it: a win then looks like a loss. */
  isShared?: boolean;
  frame?: ReceiptFrame;
}

/** A receipt of any kind, checked in this browser against the public log and shown step by step. */
export default function Receipt(props: ReceiptProps) {
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
  isOwn = false,
  isShared = false,
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
  const agreedResult = check.state === "done" && check.result.ok ? check.result : null;
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
          <CheckOutcomeLine check={check} />
        )}
        {check.state === "done" && check.result.evidence ? (
          <EvidenceKey evidence={check.result.evidence} />
        ) : null}
      </div>
      {agreedResult?.detail ? (
        <PartBoundary>
          <Story detail={agreedResult.detail} isOwn={isOwn} />
        </PartBoundary>
      ) : null}
      {check.state === "done" && check.result.detail ? (
        <Summary detail={check.result.detail} isShared={isShared} />
      ) : null}
    </>,
    steps.length > 0 ? (
      <>
        <Section
          title={t("receipt.steps")}
          note={t("receipt.steps.note")}
          kind="plain"
          className="[&>div:last-child]:px-0"
        >
          <StepList steps={steps} busy={check.state === "checking"} />
        </Section>
        {agreedResult ? (
          <PartBoundary>
            <TryToCheat receipt={receipt} result={agreedResult} />
          </PartBoundary>
        ) : null}
      </>
    ) : null,
    <>
      {check.state === "done" ? <Limits result={check.result} /> : null}
      <SaveReceipt receipt={receipt} result={check.state === "done" ? check.result : null}>
        {isOwn && agreedResult?.detail && isSharable(agreedResult.detail) ? (
          <PartBoundary>
            <ShareReceipt detail={agreedResult.detail} />
          </PartBoundary>
        ) : null}
        {check.state === "done" ? (
          <Button variant="quiet" onClick={again}>
            {t("receipt.again")}
          </Button>
        ) : null}
      </SaveReceipt>
    </>,
  );
}

/**
 * Only a receipt about an order can be shared: a journal or an audit event shows more about a
 * person than one order.
 */
const isSharable = (detail: ReceiptDetail): detail is SharedDetail =>
  detail.kind === "contract" || detail.kind === "hosting" || detail.kind === "lease";

function Summary({ detail, isShared }: { detail: ReceiptDetail; isShared: boolean }) {
  switch (detail.kind) {
    case "contract":
      return <ContractSummary detail={detail} isToned={!isShared} />;
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
    case "act":
      return <ActSummary detail={detail} />;
    case "publication":
      return <PublicationSummary detail={detail} />;
  }
}

function CheckOutcomeLine({
  check,
}: {
  check: Extract<ReceiptCheckState, { state: "checking" | "done" }>;
}) {
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
  const text = `${failed ? t(`receipt.problem.${failed.mismatch}`) : ""} ${t("receipt.differs.next")}`;
  return (
    <Banner
      isProblem
      icon={<IconAlertTriangle size={24} aria-hidden="true" />}
      title={t("receipt.differs", { step: failed ? t(`receipt.step.${failed.step}`) : "" })}
    >
      {text}
    </Banner>
  );
}
