import { Suspense, useMemo, useState } from "react";
import { FormattedNumber } from "react-intl";
import type { Machine } from "#api/mining.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { computePowerCostPerDay } from "#core/mining/formula.ts";
import { coinScale } from "#core/money/coins.ts";
import { toMinorUnits } from "#core/money/decimal.ts";
import { useText } from "#i18n/useText.ts";
import { ActionBar } from "#ui/ActionBar.tsx";
import { Button } from "#ui/Button.tsx";
import { Chip } from "#ui/Chip.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Stepper } from "#ui/form/Stepper.tsx";
import { useWasOpened } from "#ui/overlay/useOpened.ts";
import { Page } from "#ui/Page.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { TryLease } from "#web/features/monte-carlo/TryLease.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { deferredComponent } from "#web/lib/start/deferredComponent.tsx";
import { Calculator } from "./Calculator.tsx";
import { createPlan, listReadings, type Network, toFigures } from "./figures.ts";
import { computeOutlook, Outlook } from "./Outlook.tsx";
import { PaidNote } from "./PaidNote.tsx";

const loadSheet = () => import("./LeaseSheet.tsx");
const LeaseSheet = deferredComponent(loadSheet);

const offeredDays = [1, 7, 30, 90, 180, 360];

interface BuyFormProps {
  machine: Machine;
  network: Network;
  /** BTC/USDT at scale 2; null in a gap. */
  btcPrice: bigint | null;
}

/**
 * How many machines for how long, what that costs and may earn, then the button; the calculator
 * beside it.
 */
export function BuyForm({ machine, network, btcPrice }: BuyFormProps) {
  const t = useText();
  const quantityMax = Math.max(1, Math.min(machine.quantity_max, machine.stock_left));
  const [requestedQuantity, setRequestedQuantity] = useState(1);
  const quantity = Math.min(requestedQuantity, quantityMax);
  const [days, setDays] = useState(Math.min(machine.days_max, Math.max(machine.days_min, 30)));
  const plan = useMemo(() => createPlan(machine, quantity, days), [machine, quantity, days]);
  const outlook = useMemo(
    () => (btcPrice === null ? null : computeOutlook(plan, network, btcPrice)),
    [plan, network, btcPrice],
  );
  const price = plan.pricePerDay * BigInt(quantity * days);
  const power = computePowerCostPerDay(plan.powerW, plan.pricePerKwh, quantity) * BigInt(days);
  return (
    <Page
      title={machine.model}
      back="/mining"
      side={
        btcPrice === null ? undefined : (
          <Calculator plan={plan} network={network} btcPrice={btcPrice} />
        )
      }
    >
      <p className="px-4 text-small text-ink-soft">
        {machine.maker} · <FormattedNumber value={Number(machine.hashrate_ths)} /> TH/s ·{" "}
        <FormattedNumber value={machine.power_w} /> W ·{" "}
        <FormattedNumber value={Number(machine.joules_per_th)} /> J/TH
      </p>
      <p className="px-4 text-caption text-ink-faint">
        {t("mining.source", { source: machine.source })}
      </p>
      <Choice
        machine={machine}
        quantity={quantity}
        quantityMax={quantityMax}
        days={days}
        onQuantity={setRequestedQuantity}
        onDays={setDays}
      />
      <Section title={t("mining.costNow")} note={t("mining.costNow.note")}>
        <Row label={t("mining.leasePrice")} value={<Amount value={price} coin="pUSDT" />} />
        <Row
          label={t("mining.leasePower")}
          hint={t("mining.leasePower.hint", { price: machine.electricity_per_kwh })}
          value={<Amount value={power} coin="pUSDT" />}
        />
        <Row
          label={<span className="font-strong">{t("mining.total")}</span>}
          value={
            <span className="font-strong">
              <Amount value={price + power} coin="pUSDT" />
            </span>
          }
        />
      </Section>
      <Section
        title={t("mining.outlook")}
        note={t("mining.outlook.note")}
        className="[&>div:last-child]:border-0"
      >
        {outlook ? (
          <Outlook outlook={outlook} />
        ) : (
          <p className="px-4 py-3 text-small">{t("mining.noPrice")}</p>
        )}
      </Section>
      {btcPrice === null ? null : (
        <div className="px-4 pt-3">
          <TryLease
            plan={plan}
            network={toFigures(network)}
            btcPrice={btcPrice}
            readings={listReadings(network)}
          />
        </div>
      )}
      <ul className="list-disc space-y-1.5 px-4 pt-3 pl-9 text-small text-ink-soft">
        <li>{t("mining.risk.difficulty")}</li>
        <li>{t("mining.risk.price")}</li>
        <li>{t("mining.risk.setup")}</li>
        <li>{t("mining.end.rule")}</li>
      </ul>
      <PaidNote />
      <Lease
        machine={machine}
        quantity={quantity}
        days={days}
        cost={price + power}
        outlook={outlook}
      />
    </Page>
  );
}

interface ChoiceProps {
  machine: Machine;
  quantity: number;
  quantityMax: number;
  days: number;
  onQuantity: (quantity: number) => void;
  onDays: (days: number) => void;
}

function Choice({ machine, quantity, quantityMax, days, onQuantity, onDays }: ChoiceProps) {
  const t = useText();
  const clamp = (value: number, low: number, high: number) => Math.min(high, Math.max(low, value));
  return (
    <Section title={t("mining.choice")} kind="plain">
      <div className="flex items-center justify-between gap-3">
        <span className="min-w-0">
          <span className="block">{t("mining.quantity")}</span>
          <span className="text-caption text-ink-faint">
            {t("mining.quantity.left", { count: machine.stock_left })}
          </span>
        </span>
        <Stepper
          label={t("mining.quantity")}
          onStep={(step) => onQuantity(clamp(quantity + step, 1, quantityMax))}
          canDecrease={quantity > 1}
          canIncrease={quantity < quantityMax}
        >
          {quantity}
        </Stepper>
      </div>
      <div className="mt-4 flex items-center justify-between gap-3">
        <span>{t("mining.days")}</span>
        <Stepper
          label={t("mining.days")}
          onStep={(step) => onDays(clamp(days + step, machine.days_min, machine.days_max))}
          canDecrease={days > machine.days_min}
          canIncrease={days < machine.days_max}
        >
          {days}
        </Stepper>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        {offeredDays
          .filter((count) => count >= machine.days_min && count <= machine.days_max)
          .map((count) => (
            <Chip key={count} selected={count === days} onClick={() => onDays(count)}>
              {t("mining.dayCount", { count })}
            </Chip>
          ))}
      </div>
    </Section>
  );
}

interface LeaseProps {
  machine: Machine;
  quantity: number;
  days: number;
  cost: bigint;
  outlook: ReturnType<typeof computeOutlook> | null;
}

function Lease({ machine, quantity, days, cost, outlook }: LeaseProps) {
  const t = useText();
  const { status, signIn } = useSession();
  const [open, setOpen] = useState(false);
  useWasOpened(false, loadSheet);
  const wallet = useApiQuery(getWalletList, {}, { enabled: status === "signed_in" });
  const available = wallet.data?.items.find(({ coin }) => coin === "pUSDT")?.available ?? null;
  const shortfall =
    status === "signed_in" &&
    available !== null &&
    toMinorUnits(available, coinScale("pUSDT")) < cost;
  const problem = machine.stock_left === 0 ? "mining.soldOut" : shortfall ? "mining.short" : null;
  const [wasPressed, setWasPressed] = useState(false);
  const refusal = wasPressed ? problem : null;
  // If everything stays as today: the one guess that needs no view of the future.
  const result = outlook?.find(({ name }) => name === "same")?.result;
  const press = () => {
    setWasPressed(true);
    if (status === "signed_out") signIn();
    else if (problem === null) setOpen(true);
  };
  return (
    <>
      <ActionBar className="mt-5">
        <div className="flex items-baseline justify-between gap-3 pb-2 text-small">
          <span>
            <span className="text-ink-soft">{t("mining.confirm.cost")}</span>{" "}
            <span className="font-strong">
              <Amount value={cost} coin="pUSDT" />
            </span>
          </span>
          {result === undefined ? null : (
            <span className="text-right">
              <span className="text-ink-soft">{t("mining.resultSame")}</span>{" "}
              <span className="font-strong">
                <Amount short="worth" value={result} coin="pUSDT" signed toned />
              </span>
            </span>
          )}
        </div>
        <p aria-live="polite" className="text-small text-flare not-empty:pb-2">
          {refusal ? t(refusal) : null}
        </p>
        <Button block busy={status === "loading"} onClick={press}>
          {t(status === "signed_out" ? "mining.signInDo" : "mining.lease")}
        </Button>
        {status === "signed_in" && available !== null ? (
          <p className="mt-2 flex justify-between gap-3 text-caption text-ink-faint">
            <span>{t("mining.available")}</span>
            <Amount value={available} coin="pUSDT" />
          </p>
        ) : null}
      </ActionBar>
      {open ? (
        <Suspense fallback={null}>
          <LeaseSheet
            machine={machine}
            quantity={quantity}
            days={days}
            cost={cost}
            outlook={outlook}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      ) : null}
    </>
  );
}
