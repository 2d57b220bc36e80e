import { IconChevronUp } from "@tabler/icons-react";
import { type ReactNode, useState } from "react";
import type { Order } from "#api/contracts.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { Countdown } from "#ui/figures/Countdown.tsx";
import { PriceText } from "#ui/figures/PriceText.tsx";
import { Progress } from "#ui/figures/Progress.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/router.tsx";
import { Luck } from "#web/features/money/Luck.tsx";
import { lazyComponent } from "#web/lib/start/lazyComponent.tsx";
import { getWorldNowMs } from "#web/lib/worldClock.ts";
import { LazyOrderDetails } from "./LazyOrderDetails.tsx";
import { OrderHeading } from "./OrderHeading.tsx";
import { OrderPath } from "./OrderPath.tsx";
import { OrderState } from "./OrderState.tsx";
import { RepeatButton } from "./RepeatButton.tsx";
import { ResultText } from "./ResultText.tsx";
import { buildReceiptUrl } from "./receiptUrl.ts";
import { useOrderPhase } from "./useOrderPhase.ts";

const BackupOffer = lazyComponent(
  () => import("#web/features/session/BackupOffer.tsx"),
  ["sign-in"],
  null,
);

/** An order with its progress: waiting, closing while its samples come in, and its result. */
export default function OrderCard({
  order,
  onRepeat,
  onFold,
}: {
  order: Order;
  onRepeat: (order: Order) => void;
  onFold: () => void;
}) {
  const t = useText();
  const { phase, seconds } = useOrderPhase(order);
  const [open, setOpen] = useState(false);
  const isOver = phase.name === "over";
  return (
    <article className="@container flex max-w-200 flex-col gap-3 px-4 pt-2 pb-4">
      <header className="flex items-center justify-between gap-3">
        <OrderHeading order={order} />
        <span className="ml-auto">
          <OrderState order={order} phase={phase} />
        </span>
        <IconButton label={t("contracts.order.fold")} onClick={onFold} className="-my-2 -mr-3">
          <IconChevronUp size={18} aria-hidden="true" />
        </IconButton>
      </header>
      {/* Side by side where there is the width: in a low pane the result would be below its edge. */}
      <div className="grid gap-x-6 gap-y-3 @min-[38rem]:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-3">
          <OrderPath order={order} seconds={seconds} />
          {phase.name === "collecting" ? (
            <Progress
              value={(100 * phase.closed) / phase.of}
              label={t("contracts.orders.closing")}
              text={t("contracts.order.collecting", { closed: phase.closed, of: phase.of })}
            />
          ) : null}
        </div>
        <div className="@container flex min-w-0 flex-col gap-3">
          <Prices order={order} latest={seconds.at(-1)?.price ?? null} />
          {isOver ? <ResultText order={order} /> : null}
          <Actions
            order={order}
            isOver={isOver}
            onDetails={() => setOpen(true)}
            onRepeat={onRepeat}
          />
        </div>
      </div>
      {isOver ? (
        <>
          <Luck short />
          <BackupOffer />
        </>
      ) : null}
      <LazyOrderDetails
        order={order}
        open={open}
        onOpenChange={setOpen}
        onRepeat={() => {
          setOpen(false);
          onRepeat(order);
        }}
      />
    </article>
  );
}

/** Opens the details; after the end also the same order again, and the receipt. */
function Actions({
  order,
  isOver,
  onDetails,
  onRepeat,
}: {
  order: Order;
  isOver: boolean;
  onDetails: () => void;
  onRepeat: (order: Order) => void;
}) {
  const t = useText();
  return (
    <footer className="-mb-1 flex flex-wrap items-center justify-between gap-x-3">
      <Button variant="quiet" size="small" className="-ml-3.5" onClick={onDetails}>
        {t("contracts.order.details")}
      </Button>
      {isOver ? (
        <span className="ml-auto flex items-center gap-1">
          <RepeatButton onClick={() => onRepeat(order)} />
          <Link
            to={buildReceiptUrl(order)}
            className={buttonClass({ variant: "outline", size: "small" })}
          >
            {t("contracts.order.receipt")}
          </Link>
        </span>
      ) : null}
    </footer>
  );
}

/** Entry price beside the current (or settlement) price, and the stake (or the time left). */
function Prices({ order, latest }: { order: Order; latest: string | null }) {
  const t = useText();
  const isOver = order.status === "over";
  const fact = (id: string, value: ReactNode) => (
    <div className="flex flex-col">
      <dt className="text-caption text-ink-faint">{t(id)}</dt>
      <dd>{value}</dd>
    </div>
  );
  return (
    <dl className="grid grid-cols-3 gap-3 text-small last:*:items-end">
      {fact(
        "contracts.order.purchase",
        <PriceText value={order.purchase_price} scale={order.price_scale} />,
      )}
      {isOver
        ? fact(
            "contracts.order.selling",
            <PriceText value={order.selling_price} scale={order.price_scale} />,
          )
        : fact("contracts.order.now", <PriceText value={latest} scale={order.price_scale} tint />)}
      {isOver || order.delivery_at_ms === null
        ? fact("contracts.order.stake", <Amount value={order.stake} coin={order.coin} />)
        : fact(
            "contracts.order.delivery",
            <Countdown
              untilMs={order.delivery_at_ms}
              now={getWorldNowMs}
              className="font-strong"
            />,
          )}
    </dl>
  );
}
