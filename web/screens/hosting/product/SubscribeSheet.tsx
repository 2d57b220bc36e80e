import { useState } from "react";
import { useIntl } from "react-intl";
import type { Pool } from "#api/hosting/pool.ts";
import { getProductList, trusteeshipProduct } from "#api/routes/hosting.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { BeliefField } from "#web/features/beliefs/BeliefField.tsx";
import { useBelief } from "#web/features/beliefs/useBelief.ts";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { Moved, usePercentText, usePoolName } from "../figures.tsx";
import { refreshHosting } from "../useHostingUpdates.ts";

/** An amount, what can be lost, what it costs, when it pays, then the button. */
export default function SubscribeSheet({ pool, onClose }: { pool: Pool; onClose: () => void }) {
  const { formatNumber } = useIntl();
  const t = useText();
  const { name } = usePoolName();
  const percent = usePercentText();
  const [text, setText] = useState("");
  const wallet = useApiQuery(getWalletList, {});
  const available = wallet.data?.items.find(({ coin }) => coin === pool.coin)?.available ?? null;
  const { subscribe, isBusy, failure, belief } = useSubscribe(pool, onClose);
  const amount = settleAmountText(text);
  const [wasPressed, setWasPressed] = useState(false);
  const problem = findProblem(amount, available, pool);
  const change = <Amount value={pool.minimum} coin={pool.coin} />;
  return (
    <ConfirmSheet
      title={t("hosting.subscribe.title", { pool: name(pool.strategy) })}
      facts={[
        {
          label: t("hosting.redemption_fee"),
          value: percent(String(pool.redemption_fee_bp), false),
        },
        {
          label: t("hosting.break_even"),
          hint: t("hosting.break_even.hint"),
          value: percent(pool.break_even_bp),
        },
        { label: t("hosting.drawdown"), value: <Moved bp={pool.drawdown_bp} /> },
        { label: t("hosting.return"), value: <Moved bp={pool.return_bp} /> },
        { label: t("hosting.days.losing"), value: pool.days.losing },
        { label: t("hosting.days.winning"), value: pool.days.winning },
      ]}
      warnings={[
        t(`hosting.${pool.strategy}_loses`),
        t("hosting.subscribe.risk"),
        t("hosting.subscribe.mark"),
      ]}
      after={<BeliefField {...belief} />}
      action={{
        verb: t("hosting.subscribe.do"),
        run: () => {
          setWasPressed(true);
          if (problem === null) void subscribe(amount);
        },
      }}
      back={t("hosting.back")}
      busy={isBusy}
      failure={failure}
      onClose={onClose}
    >
      <Field
        label={t("hosting.amount")}
        error={wasPressed && problem !== null ? t(`hosting.amount.${problem}`) : undefined}
        aside={
          available === null ? null : (
            <>
              {t("hosting.available")} <Amount value={available} coin={pool.coin} />
            </>
          )
        }
        hint={
          <>
            {t("hosting.minimum")} {change}
          </>
        }
      >
        <AmountInput
          value={text}
          coin={pool.coin}
          onChange={setText}
          chips={[
            ...["100", "500", "1000"].map((value) => ({
              label: formatNumber(Number(value)),
              value,
            })),
            ...(available === null ? [] : [{ label: t("hosting.all"), value: available }]),
          ]}
        />
      </Field>
    </ConfirmSheet>
  );
}

/** Why an amount cannot be subscribed, before it is sent; the server decides again. */
function findProblem(
  amount: string,
  available: string | null,
  pool: Pool,
): "empty" | "below" | "overdraft" | null {
  const scale = coinScale(pool.coin);
  if (/^[0.]*$/.test(amount)) return "empty";
  const minor = toMinorUnits(amount, scale);
  if (minor < toMinorUnits(pool.minimum, scale)) return "below";
  return available !== null && minor > toMinorUnits(available, scale) ? "overdraft" : null;
}

function useSubscribe(pool: Pool, onClose: () => void) {
  const t = useText();
  const { send, isBusy } = useApiMutation(trusteeshipProduct);
  const { field: belief, keep } = useBelief("subscription");
  const { confirm, failure } = useConfirm({
    requiresTerms: true,
    send: (amount: string) =>
      send({ product_id: pool.product_id, amount, terms_hash: pool.terms_hash }),
    done: () => t("hosting.subscribe.done"),
    onDone: ({ data }) => {
      void keep(data.order_id);
      onClose();
      return refreshHosting();
    },
    onRefused: ({ error }) => {
      if (error === "hosting.terms_changed") void invalidate(getProductList);
    },
  });
  return { subscribe: confirm, isBusy, failure, belief };
}
