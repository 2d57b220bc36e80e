import type { ReactNode } from "react";
import { findTrusteeshipInfo } from "#api/routes/hosting.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Skeleton } from "#ui/Skeleton.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { Moved } from "../figures.tsx";
import { refetchMs } from "../useHostingUpdates.ts";

/**
 * This person's hosted total and, from the first subscription on, its result: losses shown as large
 * as gains.
 */
export function Totals() {
  const t = useText();
  const { status, signIn } = useSession();
  const errorMessage = useErrorMessage();
  const signedIn = status === "signed_in";
  const totals = useApiQuery(findTrusteeshipInfo, {}, { enabled: signedIn, refetchMs });
  if (status === "signed_out") {
    return (
      <div className="flex flex-col items-start gap-3 px-4 pt-2">
        <p className="text-ink-soft">{t("hosting.signed_out")}</p>
        <Button variant="outline" size="small" onClick={signIn}>
          {t("hosting.sign_in")}
        </Button>
      </div>
    );
  }
  if (totals.isError && !totals.data) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void totals.refetch()}>{errorMessage(totals.error)}</ErrorNote>
      </div>
    );
  }
  const hostingTotals = totals.data;
  // People who never paid in see the pools directly, not five empty figures first.
  const hasBegun =
    hostingTotals &&
    (hostingTotals.holdings.length > 0 ||
      hostingTotals.waiting !== "0" ||
      hostingTotals.cumulative !== "0");
  const amount = (value: string | undefined, signed = true) =>
    hostingTotals && value !== undefined ? (
      <Amount
        short="worth"
        value={value}
        coin={hostingTotals.coin}
        signed={signed}
        toned={signed}
      />
    ) : (
      <Skeleton width="5rem" />
    );
  return (
    <section className="px-4 pt-1" aria-label={t("hosting.totals")}>
      <p className="text-small text-ink-soft">{t("hosting.totals.hosted")}</p>
      <p className="text-figure font-strong tracking-tight">
        {amount(hostingTotals?.hosted, false)}
      </p>
      {hostingTotals && hostingTotals.waiting !== "0" ? (
        <p className="text-small text-ink-soft">
          {t("hosting.totals.waiting")}{" "}
          <Amount value={hostingTotals.waiting} coin={hostingTotals.coin} />
        </p>
      ) : null}
      {hasBegun ? (
        <dl className="mt-3 grid grid-cols-2 gap-x-4 gap-y-3 border-t border-line pt-3 wide:grid-cols-4">
          <Total label={t("hosting.today")}>{amount(hostingTotals?.today)}</Total>
          <Total label={t("hosting.totals.cumulative")}>{amount(hostingTotals?.cumulative)}</Total>
          <Total label={t("hosting.totals.return")}>
            {hostingTotals ? <Moved bp={hostingTotals.return_bp} /> : <Skeleton width="4rem" />}
          </Total>
          <Total label={t("hosting.drawdown")}>
            {hostingTotals ? (
              <Moved bp={hostingTotals.worst_drawdown_bp} />
            ) : (
              <Skeleton width="4rem" />
            )}
          </Total>
        </dl>
      ) : null}
    </section>
  );
}

function Total({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-ink-soft">{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}
