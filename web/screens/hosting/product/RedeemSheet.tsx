import { useState } from "react";
import { useIntl } from "react-intl";
import { CallError } from "#api/client.ts";
import type { Holding, Pool } from "#api/hosting.ts";
import { redeem } from "#api/routes/hosting.ts";
import { type Asset, assets } from "#core/hosting/assets.ts";
import { payoutFor, unitScale } from "#core/hosting/pool.ts";
import { formatDecimal, parseDecimal } from "#core/money/decimal.ts";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { decimalSign, formatNumber } from "#ui/figures/numbers.ts";
import { readAmountText, settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";
import { Figure, usePercentText, usePoolName } from "../figures.tsx";
import { refreshHosting } from "../useHostingUpdates.ts";

interface RedeemProps {
  pool: Pool;
  mine: Holding;
  onClose: () => void;
}

/** Units to give back, what they came to at the last mark, the fee, and that the next mark will differ. */
export default function RedeemSheet({ pool, mine, onClose }: RedeemProps) {
  const { formatMessage, locale } = useIntl();
  const { name } = usePoolName();
  const percent = usePercentText();
  const free = formatDecimal(read(mine.units) - read(mine.units_blocked), unitScale);
  const [typed, setTyped] = useState(free);
  const { send, busy, failure } = useRedeem(pool.product_id, onClose);
  const say = (id: string) => formatMessage({ id });
  const units = read(settleAmountText(typed));
  const tooMany = units > read(free);
  const then = payoutFor(homeOf(pool), units, { nav: read(mine.nav) });
  const amount = (value: bigint) => <Amount value={value} coin={pool.coin} />;
  return (
    <Sheet
      open
      onOpenChange={(open) => {
        if (!open && !busy) onClose();
      }}
      title={formatMessage({ id: "hosting.redeem.title" }, { pool: name(pool.strategy) })}
      actions={
        <>
          {failure ? <ErrorNote>{failure}</ErrorNote> : null}
          <Button
            block
            busy={busy}
            disabled={units === 0n || tooMany}
            onClick={() => void send(formatDecimal(units, unitScale))}
          >
            {say("hosting.redeem.do")}
          </Button>
          <Button block variant="quiet" disabled={busy} onClick={onClose}>
            {say("hosting.back")}
          </Button>
        </>
      }
    >
      <Field
        label={say("hosting.units")}
        aside={
          <>
            {say("hosting.available")} <Figure value={free} />
          </>
        }
        error={
          tooMany
            ? formatMessage({ id: "hosting.redeem.tooMany" }, { units: formatNumber(free, locale) })
            : undefined
        }
      >
        <TextInput
          inputMode="decimal"
          autoComplete="off"
          value={typed.replace(".", decimalSign(locale))}
          onChange={(text) => {
            const next = readAmountText(text, unitScale);
            if (next !== null) setTyped(next);
          }}
        />
      </Field>
      <div className="pt-2">
        <Chip selected={units === read(free)} onClick={() => setTyped(free)}>
          {say("hosting.redeem.all")}
        </Chip>
      </div>
      <div className="hairlines -mx-4 mt-4 border-y border-line" aria-live="polite">
        <Row
          label={say("hosting.redemption_fee")}
          hint={percent(String(pool.redemption_fee_bp), false)}
          value={amount(then.fee)}
        />
        <Row label={say("hosting.redeem.worth")} value={amount(then.worth)} />
        <Row label={say("hosting.redeem.payout")} value={amount(then.payout)} />
      </div>
      <p className="mt-4">{say("hosting.redeem.mark")}</p>
    </Sheet>
  );
}

/** The asset that the pool counts in: the one that its coin stands for. */
function homeOf(pool: Pool): Asset {
  const names = Object.keys(assets) as Asset[];
  return names.find((name) => assets[name].coin === pool.coin) ?? "USDT";
}

/** Units or NAV of the wire at eight digits; what is not typed to its end yet counts as nothing. */
function read(text: string): bigint {
  const parsed = parseDecimal(text, unitScale);
  return parsed.ok ? parsed.value : 0n;
}

function useRedeem(productId: string, onClose: () => void) {
  const { formatMessage } = useIntl();
  const { signIn } = useSession();
  const sentence = useSentence();
  const sending = useSend(redeem);
  const [failure, setFailure] = useState<string | null>(null);
  const send = async (units: string) => {
    setFailure(null);
    try {
      await sending.send({ product_id: productId, units });
      toast(formatMessage({ id: "hosting.redeem.done" }));
      onClose();
      await refreshHosting();
    } catch (error) {
      setFailure(sentence(error));
      if (error instanceof CallError && error.error === "session.required") signIn();
    }
  };
  return { send, busy: sending.busy, failure };
}
