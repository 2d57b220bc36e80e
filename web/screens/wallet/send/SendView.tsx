import { useRef, useState } from "react";
import { checkRecipient, getRecipients } from "#api/routes/send.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { parseAddress } from "#core/addresses/address.ts";
import type { Coin } from "#core/money/coins.ts";
import { isCarriedBy } from "#core/wallet/networks.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { settleAmountText } from "#ui/form/amountText.ts";
import { Field } from "#ui/form/Field.tsx";
import { Link } from "#ui/router.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { findAmountError } from "../findAmountError.ts";
import { RecipientField } from "./RecipientField.tsx";
import { SendSheet } from "./SendSheet.tsx";
import type { SendParams } from "./types.ts";

/**
 * Sends to a practice address: recipient, amount, what is known about the address, and a final
 * confirmation.
 */
export default function SendView({ coin }: { coin: Coin }) {
  const t = useText();
  const { form, address, typed, isChecked, check, amount, available, params, sent, ...act } =
    useDraft(coin);
  const recent = useApiQuery(getRecipients, { coin });
  if (sent) return <Sent params={sent} onAnother={act.startOver} />;
  return (
    <div ref={form} className="flex flex-col gap-5 px-4 pb-6">
      <RecipientField
        coin={coin}
        value={address}
        onChange={act.change}
        onAmount={act.type}
        onLeft={act.leave}
        check={check}
        checked={isChecked}
        recent={recent.data?.items ?? []}
      />
      <Field
        label={t("send.amount")}
        aside={
          available === null ? null : (
            <>
              {t("send.available")} <Amount value={available} coin={coin} />
            </>
          )
        }
        error={
          amount !== null &&
          (amount === "tooMuch" ||
            (isChecked && amount !== "empty") ||
            (isChecked && address !== ""))
            ? t(`send.amount.${amount}`)
            : undefined
        }
      >
        <AmountInput
          value={typed}
          coin={coin}
          onChange={act.type}
          chips={available === null ? [] : [{ label: t("send.all"), value: available }]}
        />
      </Field>
      <p className="text-small text-ink-soft">{t("send.final")}</p>
      <Button block busy={isChecked && check.isFetching} onClick={act.review}>
        {t("send.review")}
      </Button>
      {params ? <SendSheet params={params} onSent={act.finish} onClose={act.dismiss} /> : null}
    </div>
  );
}

/** The person's input and its parsed form; the transfer under review, and the one sent. */
function useDraft(coin: Coin) {
  const [address, setAddress] = useState("");
  const [typedAmount, setTypedAmount] = useState("");
  const [isChecked, setIsChecked] = useState(false);
  const [params, setParams] = useState<SendParams | null>(null);
  const [sentParams, setSentParams] = useState<SendParams | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const wallet = useApiQuery(getWalletList, {});
  const available = wallet.data?.items.find((item) => item.coin === coin)?.available ?? null;
  const result = parseAddress(address);
  // For any other text the server says what is wrong, once the person has finished typing.
  const worthAsking = result.ok && isCarriedBy(result.network, coin);
  const check = useApiQuery(
    checkRecipient,
    { coin, address },
    { enabled: address !== "" && (worthAsking || isChecked), staleMs: 2_000 },
  );
  const amount = findAmountError(typedAmount, coin, available);
  const change = (text: string) => {
    setIsChecked(false);
    setAddress(text);
  };
  const review = () => {
    setIsChecked(true);
    if (check.data && amount === null) {
      setParams({ coin, amount: settleAmountText(typedAmount), recipient: check.data });
      return;
    }
    // The error is shown at the box.
    form.current?.querySelectorAll("input")[check.data ? 1 : 0]?.focus();
  };
  const finish = () => {
    setSentParams(params);
    setParams(null);
    setAddress("");
    setTypedAmount("");
    setIsChecked(false);
  };
  return {
    form,
    address,
    typed: typedAmount,
    isChecked,
    check,
    amount,
    available,
    params,
    sent: sentParams,
    change,
    leave: () => setIsChecked(address !== ""),
    type: setTypedAmount,
    review,
    dismiss: () => setParams(null),
    finish,
    startOver: () => setSentParams(null),
  };
}

function Sent({ params, onAnother }: { params: SendParams; onAnother: () => void }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-4 px-4 pb-6">
      <output className="block">
        <h2 className="text-title font-strong">{t("send.done.title")}</h2>
        <p className="mt-2 text-figure font-strong tracking-tight">
          <Amount value={params.amount} coin={params.coin} />
        </p>
        <p className="mt-3 text-small text-ink-soft">{t("send.to")}</p>
        <p className="mt-1 font-mono text-small break-all">{params.recipient.address}</p>
      </output>
      <Link to="/wallet-record" className={buttonClass({ variant: "outline", block: true })}>
        {t("send.done.records")}
      </Link>
      <Button block variant="quiet" onClick={onAnother}>
        {t("send.done.another")}
      </Button>
    </div>
  );
}
