import { useState } from "react";
import { useIntl } from "react-intl";
import { getWalletList } from "#api/routes/wallet.ts";
import { cancelWithdraw, getWithdrawList, getWithdrawTerms } from "#api/routes/withdraw.ts";
import type { Withdrawal } from "#api/withdraw.ts";
import { useText } from "#i18n/useText.ts";
import { Badge } from "#ui/Badge.tsx";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Link } from "#ui/router.tsx";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { getWorldNowMs } from "#web/lib/worldClock.ts";

/** One withdrawal: its status, and how to cancel it while it waits. */
export function WithdrawalItem({
  withdrawal,
  onDue,
}: {
  withdrawal: Withdrawal;
  onDue: () => void;
}) {
  const { formatDate } = useIntl();
  const t = useText();
  const { coin, state, outcome, address } = withdrawal;
  const label = outcome ?? state;
  return (
    <li className="flex flex-col gap-2 px-4 py-3">
      <div className="flex items-start justify-between gap-3">
        <div className="min-w-0">
          <p className="font-strong">
            <Amount
              value={outcome === "cancelled" ? withdrawal.amount : withdrawal.leaves}
              coin={coin}
            />
          </p>
          <p className="text-small text-ink-faint">
            {formatDate(withdrawal.placed_at_ms, { dateStyle: "medium", timeStyle: "short" })}
          </p>
        </div>
        <Badge tone={state === "over" ? "neutral" : "warning"}>
          {t(`withdraw.state.${label}`)}
        </Badge>
      </div>
      <p className="font-mono text-caption break-all text-ink-soft">{address}</p>
      <p className="text-small text-ink-soft">
        <WithdrawalStatus withdrawal={withdrawal} onDue={onDue} />
      </p>
      {withdrawal.act ? (
        <p className="text-small text-ink-soft">
          {t("withdraw.operator.text", {
            role: t(`permissions.role.${withdrawal.act.role}`),
            reason: withdrawal.act.reason,
          })}
        </p>
      ) : null}
      {state === "waiting" ? <Cancel withdrawalId={withdrawal.withdrawal_id} /> : null}
      {withdrawal.ended_journal_id ? (
        <Link
          to={`/verify?journal_id=${withdrawal.ended_journal_id}`}
          className="-my-1 inline-flex min-h-11 items-center self-start text-small font-strong text-signal-ink"
        >
          {t("withdraw.receipt")}
        </Link>
      ) : null}
    </li>
  );
}

/** The withdrawal's past steps and its next one. */
function WithdrawalStatus({ withdrawal, onDue }: { withdrawal: Withdrawal; onDue: () => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { state, outcome } = withdrawal;
  if (outcome === "left") return t("withdraw.left.text");
  if (outcome === "cancelled") return t("withdraw.cancelled.text");
  if (state === "closing") {
    const latest = formatDate(withdrawal.latest_at_ms, { dateStyle: "medium", timeStyle: "short" });
    return t("withdraw.closing.text", { latest });
  }
  const time = (
    <Countdown
      key="time"
      untilMs={withdrawal.cancel_until_ms}
      now={getWorldNowMs}
      onEnd={onDue}
      className="font-strong text-ink"
    />
  );
  return t("withdraw.waiting.text", { time });
}

function Cancel({ withdrawalId }: { withdrawalId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const sending = useApiMutation(cancelWithdraw);
  const [failure, setFailure] = useState<string | null>(null);
  const cancel = async () => {
    setFailure(null);
    try {
      toast((await sending.send({ withdrawal_id: withdrawalId })).msg);
    } catch (error) {
      setFailure(errorMessage(error));
    }
    await Promise.all([
      invalidate(getWithdrawList),
      invalidate(getWithdrawTerms),
      invalidate(getWalletList),
    ]);
  };
  return (
    <div className="flex flex-col items-start gap-2">
      <Button variant="outline" size="small" busy={sending.isBusy} onClick={() => void cancel()}>
        {t("withdraw.cancel")}
      </Button>
      {failure ? <ErrorNote>{failure}</ErrorNote> : null}
    </div>
  );
}
