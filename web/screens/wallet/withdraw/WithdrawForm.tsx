import { type ReactNode, useRef, useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import type { getWithdrawTerms } from "#api/withdraw.ts";
import type { Coin } from "#core/money/coins.ts";
import { computeWithdrawFee } from "#core/withdraw/withdraw.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { formatNumber } from "#ui/figures/numbers.ts";
import { AmountInput } from "#ui/form/AmountInput.tsx";
import { Field } from "#ui/form/Field.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { LowBalance } from "#web/features/attempts/LowBalance.tsx";
import { AddressField } from "./AddressField.tsx";
import {
  type AmountResult,
  parseDestination,
  parseMinorUnits,
  parseWithdrawAmount,
} from "./parseParams.ts";
import { ReviewSheet, type WithdrawParams } from "./ReviewSheet.tsx";
import { useOutsideAccount } from "./useOutsideAccount.ts";

export type Terms = AnswerOf<typeof getWithdrawTerms>;

interface FormProps {
  coin: Coin;
  terms: Terms;
  onPlaced: () => void;
  /** An amount to start with, as a link names it: a decimal, or `all`. */
  initial?: string;
}

/**
 * Amount and address, what happens to the money, then the button. What was typed stays until the
 * withdrawal is placed.
 */
export function WithdrawForm({ coin, terms, onPlaced, initial = "" }: FormProps) {
  const t = useText();
  const { form, available, amount, to, isChecked, params, ...act } = useTyped(coin, terms, initial);
  const problem = useAmountErrorMessage(coin, terms);
  if (available === 0n) {
    return (
      <div className="px-4">
        <p className="text-ink-soft">{t("withdraw.empty", { coin })}</p>
        <HeldAmount coin={coin} held={terms.held} />
        <LowBalance />
      </div>
    );
  }
  const complains = !amount.ok && (isChecked || amount.error !== "empty");
  return (
    <div ref={form}>
      <div className="flex flex-col gap-5 px-4">
        <Field
          label={t("withdraw.amount")}
          aside={
            <>
              {t("withdraw.available")} <Amount value={available} coin={coin} />
            </>
          }
          hint={problem.rule}
          error={complains ? problem.of(amount.error) : undefined}
        >
          <AmountInput
            value={act.shown}
            coin={coin}
            onChange={act.type}
            beside={
              <span className="flex self-center">
                <Chip selected={act.all} onClick={act.toggleAll}>
                  {t("withdraw.all")}
                </Chip>
              </span>
            }
          />
        </Field>
        <AddressField
          coin={coin}
          value={act.address}
          onChange={act.setAddress}
          read={to}
          checked={isChecked}
        />
      </div>
      <Costs coin={coin} quote={amount} held={terms.held} />
      <ActionBar className="mt-4">
        <Button block onClick={act.review}>
          {t("withdraw.review")}
        </Button>
      </ActionBar>
      {params ? (
        <ReviewSheet
          params={params}
          isPinSet={terms.pin_set}
          onPlaced={onPlaced}
          onClose={act.dismiss}
        />
      ) : null}
    </div>
  );
}

/** The person's input, its parsed form, and the withdrawal that is under review. */
function useTyped(coin: Coin, terms: Terms, initial: string) {
  const outsideAccount = useOutsideAccount(coin);
  const available = parseMinorUnits(terms.available, coin) ?? 0n;
  const [typedAmount, setTypedAmount] = useState(() =>
    parseMinorUnits(initial, coin) === null ? "" : initial,
  );
  const [isAll, setIsAll] = useState(
    () => initial === "all" || (parseMinorUnits(initial, coin) ?? 0n) > available,
  );
  // Null until the field was touched: the outside account is filled in as soon as it is known.
  const [ownChoice, setOwnChoice] = useState<string | null>(null);
  const address = ownChoice ?? outsideAccount ?? "";
  const [isChecked, setIsChecked] = useState(false);
  const [params, setParams] = useState<WithdrawParams | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const minimum = terms.minimum === null ? null : parseMinorUnits(terms.minimum, coin);
  // "All" follows the balance as it changes.
  const amountText = isAll ? terms.available : typedAmount;
  const amount = parseWithdrawAmount(coin, amountText, available, minimum);
  const to = parseDestination(coin, address);
  const review = () => {
    setIsChecked(true);
    if (amount.ok && to.ok) {
      setParams({
        coin,
        isAll,
        quote: amount,
        address: to.address,
        network: to.network,
        attemptId: terms.attempt_id,
      });
      return;
    }
    // The error is shown at the box.
    form.current?.querySelectorAll("input")[amount.ok ? 1 : 0]?.focus();
  };
  const type = (value: string) => {
    // The box normalises its text on blur; only a different value ends "All".
    if (isAll && parseMinorUnits(value, coin) === available) return;
    setIsAll(false);
    setTypedAmount(value);
  };
  return {
    form,
    available,
    amount,
    to,
    isChecked,
    params,
    shown: amountText,
    type,
    all: isAll,
    toggleAll: () => setIsAll(!isAll),
    address,
    setAddress: setOwnChoice,
    review,
    dismiss: () => setParams(null),
  };
}

/** Where every unit of the amount goes, shown before the button. */
function Costs({ coin, quote, held }: { coin: Coin; quote: AmountResult; held: string }) {
  const t = useText();
  const money = (value: bigint, strong = false) => (
    <Amount value={value} coin={coin} alignDigits={2} className={strong ? "font-strong" : ""} />
  );
  const row = (id: string, value: ReactNode, hint?: string) => (
    <Row label={t(id)} value={value} hint={hint} className="min-h-12" />
  );
  const hasNoFee = quote.ok && quote.fee === 0n;
  const dash = "—";
  return (
    <>
      <Section title={t("withdraw.cost")} className="mt-5!">
        {row("withdraw.cost.from", quote.ok ? money(quote.amount) : dash)}
        {row(
          "withdraw.cost.fee",
          money(quote.ok ? quote.fee : computeWithdrawFee(coin, 10n ** 18n)),
          hasNoFee ? t("withdraw.cost.noFee") : undefined,
        )}
        {row("withdraw.cost.leaves", quote.ok ? money(quote.leaves, true) : dash)}
      </Section>
      <div className="px-4">
        <HeldAmount coin={coin} held={held} />
      </div>
    </>
  );
}

function HeldAmount({ coin, held }: { coin: Coin; held: string }) {
  const t = useText();
  if (held === "0") return null;
  return (
    <p className="mt-2 flex items-baseline justify-between gap-3 text-small text-ink-soft">
      <span>{t("withdraw.held")}</span>
      <Amount value={held} coin={coin} />
    </p>
  );
}

/** The rule for a partial withdrawal, and what is wrong with an amount. */
function useAmountErrorMessage(coin: Coin, terms: Terms) {
  const { locale } = useIntl();
  const t = useText();
  const money = (text: string) => `${formatNumber(text, locale, 2)} ${coin}`;
  const minimum = terms.minimum === null ? "" : money(terms.minimum);
  return {
    rule:
      terms.minimum === null ? t("withdraw.noMinimum", { coin }) : t("withdraw.part", { minimum }),
    of: (problem: "empty" | "overdraft" | "below") =>
      t(`withdraw.amount.${problem}`, { minimum, available: money(terms.available) }),
  };
}
