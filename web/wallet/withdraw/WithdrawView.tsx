import { useState } from "react";
import { useIntl } from "react-intl";
import { getWithdrawList, getWithdrawTerms } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useStreamEvent } from "#web/app/stream.ts";
import { refresh, useCall } from "#web/app/useCall.ts";
import { useSentence } from "#web/app/useSentence.ts";
import { WithdrawalStandard } from "#web/app/withdrawal-standard/WithdrawalStandard.tsx";
import { Questions } from "./Questions.tsx";
import { WithdrawalList } from "./WithdrawalList.tsx";
import { WithdrawForm } from "./WithdrawForm.tsx";

/** Withdrawing one coin: what it costs before the button, what waits or has left below, and the standard at the end. */
export default function WithdrawView({ coin }: { coin: Coin }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const terms = useCall(getWithdrawTerms, { coin }, { refetchMs: 30_000 });
  // Pressed "Withdraw": the form begins anew, the list has one more.
  const [placed, setPlaced] = useState(0);
  useStreamEvent("balances", () => {
    void refresh(getWithdrawTerms);
    void refresh(getWithdrawList);
  });
  return (
    <>
      <Questions />
      {terms.data ? (
        <WithdrawForm
          key={placed}
          coin={coin}
          terms={terms.data}
          onPlaced={() => setPlaced(placed + 1)}
        />
      ) : terms.isError ? (
        <div className="px-4">
          <ErrorNote onRetry={() => void terms.refetch()}>{sentence(terms.error)}</ErrorNote>
        </div>
      ) : (
        <SkeletonRows count={4} />
      )}
      <WithdrawalList coin={coin} />
      <Section title={formatMessage({ id: "withdraw.standard.title" })} kind="plain">
        <WithdrawalStandard />
      </Section>
    </>
  );
}
