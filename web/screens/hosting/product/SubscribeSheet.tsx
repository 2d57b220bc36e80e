import { useState } from "react";
import { useIntl } from "react-intl";
import { getProductList, type Pool, trusteeshipProduct } from "#api/hosting.ts";
import { getWalletList } from "#api/wallet.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh, useCall } from "#web/lib/useApiQuery.ts";
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
    <ConfirmSheet
      title={formatMessage({ id: "hosting.subscribe.title" }, { pool: name(pool.strategy) })}
      facts={[
        {
          label: say("hosting.redemption_fee"),
          value: percent(String(pool.redemption_fee_bp), false),
        },
        {
          label: say("hosting.break_even"),
          hint: say("hosting.break_even.hint"),
          value: percent(pool.break_even_bp),
        },
        { label: say("hosting.drawdown"), value: <Moved bp={pool.drawdown_bp} /> },
        { label: say("hosting.return"), value: <Moved bp={pool.return_bp} /> },
        { label: say("hosting.days.losing"), value: pool.days.losing },
        { label: say("hosting.days.winning"), value: pool.days.winning },
      ]}
      warnings={[
        say(`hosting.${pool.strategy}_loses`),
        say("hosting.subscribe.risk"),
        say("hosting.subscribe.mark"),
      ]}
      action={{
        verb: say("hosting.subscribe.do"),
        run: () => void subscribe(settleAmountText(typed)),
        disabled: /^[0.]*$/.test(typed),
      }}
      back={say("hosting.back")}
      busy={busy}
      failure={failure}
      onClose={onClose}
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
    </ConfirmSheet>
  );
}

function useSubscribe(pool: Pool, onClose: () => void) {
  const { formatMessage } = useIntl();
  const { send, busy } = useSend(trusteeshipProduct);
  const { confirm, failure } = useConfirm({
    needsTerms: true,
    send: (amount: string) =>
      send({ product_id: pool.product_id, amount, terms_hash: pool.terms_hash }),
    done: () => formatMessage({ id: "hosting.subscribe.done" }),
    onDone: () => {
      onClose();
      return refreshHosting();
    },
    onRefused: ({ error }) => {
      if (error === "hosting.terms_changed") void refresh(getProductList);
    },
  });
  return { subscribe: confirm, busy, failure };
}
