import { useState } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";
import type { Pool } from "#api/hosting.ts";
import { getProductList, trusteeshipProduct } from "#api/routes/hosting.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh, useCall } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { Moved, usePercentText, usePoolName } from "../figures.tsx";
import { refreshHosting } from "../useHostingUpdates.ts";

/** An amount, what can be lost, what it costs, when it pays, and then the button. */
export default function SubscribeSheet({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const { formatMessage } = useIntl();
  const { name } = usePoolName();
  const percent = usePercentText();
  const [typed, setTyped] = useState("");
  const wallet = useCall(getWalletList, {});
  const available = wallet.data?.items.find(({ coin }) => coin === pool.coin)?.available ?? null;
  const { subscribe, busy, failure } = useSubscribe(pool, onClose);
  const say = (id: string) => formatMessage({ id });
  const change = <Amount value={pool.minimum} coin={pool.coin} />;
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={formatMessage({ id: "hosting.subscribe.title" }, { pool: name(pool.strategy) })}
      actions={
        <>
          {failure ? <ErrorNote>{failure}</ErrorNote> : null}
          <Button
            block
            busy={busy}
            disabled={/^[0.]*$/.test(typed)}
            onClick={() => void subscribe(settleAmountText(typed))}
          >
            {say("hosting.subscribe.do")}
          </Button>
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {say("hosting.back")}
          </Button>
        </>
      }
    >
      <Field
        label={say("hosting.amount")}
        aside={
          available === null ? null : (
            <>
              {say("hosting.available")} <Amount value={available} coin={pool.coin} />
            </>
          )
        }
        hint={
          <>
            {say("hosting.minimum")}: {change}
          </>
        }
      >
        <AmountInput value={typed} coin={pool.coin} onChange={setTyped} />
      </Field>
      <div className="hairlines -mx-4 mt-4 border-y border-line">
        <Row
          label={say("hosting.redemption_fee")}
          value={percent(String(pool.redemption_fee_bp), false)}
        />
        <Row
          label={say("hosting.break_even")}
          hint={say("hosting.break_even.hint")}
          value={percent(pool.break_even_bp)}
        />
        <Row label={say("hosting.drawdown")} value={<Moved bp={pool.drawdown_bp} />} />
        <Row label={say("hosting.return")} value={<Moved bp={pool.return_bp} />} />
        <Row label={say("hosting.days.losing")} value={pool.days.losing} />
        <Row label={say("hosting.days.winning")} value={pool.days.winning} />
      </div>
      <p className="mt-4">{say(`hosting.${pool.strategy}_loses`)}</p>
      <p className="mt-2">{say("hosting.subscribe.risk")}</p>
      <p className="mt-2">{say("hosting.subscribe.mark")}</p>
    </Sheet>
  );
}

function useSubscribe(pool: Pool, onClose: () => void) {
  const { formatMessage } = useIntl();
  const { requireTerms, signIn } = useSession();
  const sentence = useSentence();
  const sending = useSend(trusteeshipProduct);
  const [failure, setFailure] = useState<string | null>(null);
  const subscribe = async (amount: string) => {
    setFailure(null);
    if (!(await requireTerms())) return;
    try {
      await sending.send({
        product_id: pool.product_id,
        amount,
        terms_hash: pool.terms_hash,
      });
      toast(formatMessage({ id: "hosting.subscribe.done" }));
      onClose();
      await refreshHosting();
    } catch (error) {
      setFailure(sentence(error));
      if (!(error instanceof CallError)) return;
      if (error.error === "session.required") signIn();
      if (error.error === "hosting.terms_changed") await refresh(getProductList);
    }
  };
  return { subscribe, busy: sending.busy, failure };
}
