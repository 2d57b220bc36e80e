import { useState } from "react";
import { useIntl } from "react-intl";
import type { PersonWithdrawal } from "#api/operator/people.ts";
import { getPersonWithdrawals, payNow } from "#api/routes/operator/people.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { ReasonSheet } from "#operator/people/ReasonSheet.tsx";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";

/**
 * Withdrawals of the current attempt. A waiting one can be released early; nothing else can be done
 * to one.
 */
export function WithdrawalsTab({ viewingId }: { viewingId: string }) {
  const { formatDate } = useIntl();
  const t = useText();
  const list = useApiPages(
    getPersonWithdrawals,
    { viewing_id: viewingId, page_size: 10 },
    { refetchMs: 15_000 },
  );
  const mayPay = useMayChange("people.pay_now");
  const [paying, setPaying] = useState<PersonWithdrawal | null>(null);
  return (
    <>
      <PagedList
        list={list}
        keyOf={(item) => item.withdrawal_id}
        empty={<Empty title={t("people.none.withdrawals")} />}
      >
        {(item) => (
          <div>
            <Row
              label={<Amount value={item.amount} coin={item.coin} />}
              hint={formatDate(item.placed_at_ms, { dateStyle: "medium", timeStyle: "medium" })}
              value={t(`withdraw.state.${item.outcome ?? item.state}`)}
              valueHint={item.network}
            />
            {item.outcome === null ? (
              <div className="flex flex-wrap items-center justify-between gap-2 px-4 pb-3">
                <p className="text-small text-ink-soft">
                  {t("people.pay.latest", {
                    time: formatDate(item.latest_at_ms, {
                      dateStyle: "medium",
                      timeStyle: "short",
                    }),
                  })}
                </p>
                {mayPay ? (
                  <Button size="small" onClick={() => setPaying(item)}>
                    {t("people.pay")}
                  </Button>
                ) : null}
              </div>
            ) : null}
          </div>
        )}
      </PagedList>
      <PaySheet withdrawal={paying} onClose={() => setPaying(null)} />
    </>
  );
}

function PaySheet({
  withdrawal,
  onClose,
}: {
  withdrawal: PersonWithdrawal | null;
  onClose: () => void;
}) {
  const t = useText();
  const { send, isBusy, error } = useOperatorMutation(payNow);
  const [lastWithdrawal, setLastWithdrawal] = useState(withdrawal);
  if (withdrawal && withdrawal !== lastWithdrawal) setLastWithdrawal(withdrawal);
  return (
    <ReasonSheet
      isOpen={withdrawal !== null}
      onClose={onClose}
      title={t("people.pay.title")}
      text={t("people.pay.text")}
      verb={t("people.pay")}
      successMessage={t("people.pay.done")}
      busy={isBusy}
      error={error}
      run={async (why) => {
        if (!lastWithdrawal) return;
        try {
          await send({ withdrawal_id: lastWithdrawal.withdrawal_id, why });
        } finally {
          // It may have been paid automatically in the meantime.
          void invalidate(getPersonWithdrawals);
        }
      }}
    >
      {lastWithdrawal ? (
        <p className="text-title font-strong">
          <Amount value={lastWithdrawal.amount} coin={lastWithdrawal.coin} />
        </p>
      ) : null}
    </ReasonSheet>
  );
}
