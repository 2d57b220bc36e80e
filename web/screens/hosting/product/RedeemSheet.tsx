import { useState } from "react";
import { useIntl } from "react-intl";
import type { Holding } from "#api/hosting/holding.ts";
import type { Pool } from "#api/hosting/pool.ts";
import { redeem } from "#api/routes/hosting.ts";
import { type Asset, assets } from "#core/hosting/assets.ts";
import { computePayout, unitScale } from "#core/hosting/pool.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { Chip } from "#ui/Chip.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { decimalSign, formatNumber } from "#ui/figures/numbers.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { ConfirmSheet } from "#web/features/confirm/ConfirmSheet.tsx";
import { useConfirm } from "#web/features/confirm/useConfirm.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { Figure, usePercentText, usePoolName } from "../figures.tsx";
import { refreshHosting } from "../useHostingUpdates.ts";

interface RedeemProps {
  pool: Pool;
  mine: Holding;
  onClose: () => void;
}

/**
 * Units to redeem, their value at the last mark, the fee, and a note that the next mark will
 * differ.
 */
export default function RedeemSheet({ pool, mine, onClose }: RedeemProps) {
  const { locale } = useIntl();
  const t = useText();
  const { name } = usePoolName();
  const percent = usePercentText();
  const free = formatDecimal(parseScaled(mine.units) - parseScaled(mine.units_blocked), unitScale);
  const [typedUnits, setTypedUnits] = useState(free);
  const [wasPressed, setWasPressed] = useState(false);
  const { send, isBusy, failure } = useRedeem(pool.product_id, onClose);
  const units = parseScaled(settleAmountText(typedUnits));
  const tooMany = units > parseScaled(free);
  const payoutAtNav = computePayout(getPoolAsset(pool), units, { nav: parseScaled(mine.nav) });
  const amount = (value: bigint) => <Amount value={value} coin={pool.coin} />;
  return (
    <ConfirmSheet
      title={t("hosting.redeem.title", { pool: name(pool.strategy) })}
      facts={[
        {
          label: t("hosting.redemption_fee"),
          hint: percent(String(pool.redemption_fee_bp), false),
          value: amount(payoutAtNav.fee),
        },
        { label: t("hosting.redeem.worth"), value: amount(payoutAtNav.worth) },
        { label: t("hosting.redeem.payout"), value: amount(payoutAtNav.payout) },
      ]}
      warnings={[t("hosting.redeem.mark")]}
      action={{
        verb: t("hosting.redeem.do"),
        run: () => {
          setWasPressed(true);
          if (units > 0n && !tooMany) void send(formatDecimal(units, unitScale));
        },
      }}
      back={t("hosting.back")}
      busy={isBusy}
      failure={failure}
      onClose={onClose}
    >
      <Field
        label={t("hosting.units")}
        aside={
          <>
            {t("hosting.available")} <Figure value={free} />
          </>
        }
        error={
          tooMany
            ? t("hosting.redeem.tooMany", { units: formatNumber(free, locale) })
            : wasPressed && units === 0n
              ? t("hosting.amount.empty")
              : undefined
        }
      >
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={typedUnits.replace(".", decimalSign(locale))}
          onChange={(text) => {
            const next = readAmountText(text, unitScale);
            if (next !== null) setTypedUnits(next);
          }}
        />
      </Field>
      <div className="pt-2">
        <Chip selected={units === parseScaled(free)} onClick={() => setTypedUnits(free)}>
          {t("hosting.redeem.all")}
        </Chip>
      </div>
    </ConfirmSheet>
  );
}

/** The asset that the pool counts in: the one that its coin represents. */
function getPoolAsset(pool: Pool): Asset {
  const names = Object.keys(assets) as Asset[];
  return names.find((name) => assets[name].coin === pool.coin) ?? "USDT";
}

/** Units or NAV of the wire at scale eight; 0 while the typed number is incomplete. */
function parseScaled(text: string): bigint {
  const result = parseDecimal(text, unitScale);
  return result.ok ? result.value : 0n;
}

function useRedeem(productId: string, onClose: () => void) {
  const t = useText();
  const { send, isBusy } = useApiMutation(redeem);
  const { confirm, failure } = useConfirm({
    send: (units: string) => send({ product_id: productId, units }),
    done: () => t("hosting.redeem.done"),
    onDone: () => {
      onClose();
      return refreshHosting();
    },
  });
  return { send: confirm, isBusy, failure };
}
