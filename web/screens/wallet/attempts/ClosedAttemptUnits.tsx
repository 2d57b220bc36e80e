import { useState } from "react";
import type { Holding } from "#api/hosting/holding.ts";
import { findTrusteeshipInfo, redeem } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { HideableAmount } from "#web/lib/hideAmounts.tsx";

/**
 * Pool units that a closed attempt still holds. Only redeeming ends them, so that is offered here.
 */
export function ClosedAttemptUnits({
  attemptId,
  hidden: isHidden,
}: {
  attemptId: string;
  hidden: boolean;
}) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const query = useApiQuery(findTrusteeshipInfo, { attempt_id: attemptId }, { refetchMs: 30_000 });
  if (query.error && !query.data) {
    return (
      <div className="p-4">
        <ErrorNote busy={query.isFetching} onRetry={() => void query.refetch()}>
          {errorMessage(query.error)}
        </ErrorNote>
      </div>
    );
  }
  const holdings = query.data?.holdings.filter(({ units }) => units !== "0") ?? [];
  if (holdings.length === 0) return null;
  return (
    <Section title={t("attempts.units")} note={t("attempts.units.note")}>
      {holdings.map((holding) => (
        <Units key={holding.product_id} holding={holding} attemptId={attemptId} hidden={isHidden} />
      ))}
    </Section>
  );
}

interface UnitsProps {
  holding: Holding;
  attemptId: string;
  hidden: boolean;
}

function Units({ holding, attemptId, hidden }: UnitsProps) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy } = useApiMutation(redeem);
  const [failure, setFailure] = useState<string | null>(null);
  const { product_id: poolId, units, units_blocked: blockedUnits, value } = holding;
  const redeemAll = async () => {
    setFailure(null);
    try {
      await send({ product_id: poolId, units: "all", attempt_id: attemptId });
      toast(t("attempts.units.asked"));
    } catch (error) {
      setFailure(errorMessage(error));
    }
    await invalidate(findTrusteeshipInfo);
  };
  return (
    <div className="flex flex-col gap-3 px-4 py-3">
      <div className="flex items-baseline justify-between gap-3">
        <span className="font-mono text-small">{poolId}</span>
        <HideableAmount hidden={hidden}>
          <Amount value={value} coin="pUSDT" alignDigits={2} />
        </HideableAmount>
      </div>
      {blockedUnits === units ? (
        <p className="text-small text-ink-soft">{t("attempts.units.waiting")}</p>
      ) : (
        <Button variant="outline" block busy={isBusy} onClick={() => void redeemAll()}>
          {t("attempts.units.redeem")}
        </Button>
      )}
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
    </div>
  );
}
