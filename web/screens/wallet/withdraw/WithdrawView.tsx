import { useState } from "react";
import { getWithdrawList, getWithdrawTerms } from "#api/routes/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Link, useSearchParams } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { WithdrawalStandard } from "#web/features/withdraw/WithdrawalStandard.tsx";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useStreamEvent } from "#web/lib/stream.ts";
import { Questions } from "./Questions.tsx";
import { WithdrawalList } from "./WithdrawalList.tsx";
import { WithdrawForm } from "./WithdrawForm.tsx";

/**
 * Withdraws one coin, with `attempt_id=` from a closed attempt: the cost before the button, pending
 * and past withdrawals below, and the withdrawal standard at the end.
 */
export default function WithdrawView({ coin }: { coin: Coin }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const [query] = useSearchParams();
  const attemptId = query.get("attempt_id") ?? undefined;
  const of = attemptId === undefined ? {} : { attempt_id: attemptId };
  const terms = useApiQuery(getWithdrawTerms, { coin, ...of }, { refetchMs: 30_000 });
  // Counts placed withdrawals: after each one the form resets and the list has one more.
  const [placedCount, setPlacedCount] = useState(0);
  useStreamEvent("balances", () => {
    void invalidate(getWithdrawTerms);
    void invalidate(getWithdrawList);
  });
  return (
    <>
      {attemptId === undefined ? null : <OldAttempt attemptId={attemptId} />}
      <Questions />
      {terms.data ? (
        <WithdrawForm
          key={placedCount}
          coin={coin}
          terms={terms.data}
          onPlaced={() => setPlacedCount(placedCount + 1)}
          initial={placedCount === 0 ? (query.get("amount") ?? "") : ""}
        />
      ) : terms.isError ? (
        <div className="px-4">
          <ErrorNote onRetry={() => void terms.refetch()}>{errorMessage(terms.error)}</ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={4} />
      )}
      <WithdrawalList coin={coin} attemptId={attemptId} />
      <Section title={t("withdraw.standard.title")} kind="plain">
        <WithdrawalStandard />
      </Section>
    </>
  );
}

/** Says that this balance belongs to an earlier attempt, and links back to it. */
function OldAttempt({ attemptId }: { attemptId: string }) {
  const t = useText();
  return (
    <div className="px-4 pb-3">
      <p className="text-small text-ink-soft">{t("withdraw.oldAttempt")}</p>
      <Link
        to={`/wallet?do=attempts&attempt=${attemptId}`}
        className="flex min-h-11 items-center text-small text-signal-ink"
      >
        {t("withdraw.oldAttempt.back")}
      </Link>
    </div>
  );
}
