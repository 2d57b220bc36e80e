import type { Book, Trade } from "#api/hosting/trade.ts";
import { useText } from "#i18n/useText.ts";
import { Amount } from "#ui/figures/Amount.tsx";
import { BookTable } from "../BookTable.tsx";
import { Figure, useFormatWorldTime } from "../figures.tsx";

interface LegProps {
  leg: Trade["legs"][number];
  number: number;
  decision: Book | null;
  fill: Book | null;
}

/**
 * One leg: what was ordered, what was filled at which price, and the books at decision and at fill
 * side by side.
 */
export function Leg({ leg, number, decision, fill }: LegProps) {
  const t = useText();
  const takenSide = leg.side === "buy" ? "asks" : "bids";
  return (
    <section className="pt-6">
      <h3 className="font-strong">
        {number}. {t(`hosting.side.${leg.side}`)} {leg.symbol} · {leg.venue}
      </h3>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 py-3 text-small [&_dt]:text-ink-faint">
        <div>
          <dt>{t("hosting.leg.wanted")}</dt>
          <dd>
            <Figure value={leg.wanted} />
          </dd>
        </div>
        <div>
          <dt>{t("hosting.leg.filled")}</dt>
          <dd>
            <Figure value={leg.filled} />
          </dd>
        </div>
        <div>
          <dt>{t("hosting.leg.decision_price")}</dt>
          <dd>
            <Figure value={leg.decision_price} />
          </dd>
        </div>
        <div>
          <dt>{t("hosting.leg.fill_price")}</dt>
          <dd>{leg.fill_price === null ? "—" : <Figure value={leg.fill_price} />}</dd>
        </div>
        <div>
          <dt>{t("hosting.trade.fees")}</dt>
          <dd>
            <Amount value={leg.fee.amount} coin={leg.fee.coin} />
          </dd>
        </div>
        <div>
          <dt>{t("hosting.slippage_paid")}</dt>
          <dd>
            <Amount value={leg.slippage} coin="pUSDT" />
          </dd>
        </div>
      </dl>
      {leg.short ? (
        <p className="pb-3 text-small text-warning">{t(`hosting.short.${leg.short}`)}</p>
      ) : null}
      <div className="grid grid-cols-2 gap-3">
        <Moment title={t("hosting.book.decision")} book={decision} taken={takenSide} />
        <Moment title={t("hosting.book.fill")} book={fill} taken={takenSide} />
      </div>
    </section>
  );
}

interface MomentProps {
  title: string;
  book: Book | null;
  taken: "asks" | "bids";
}

function Moment({ title, book, taken }: MomentProps) {
  const t = useText();
  const formatWorldTime = useFormatWorldTime();
  return (
    <div className="min-w-0">
      <p className="text-caption font-strong">{title}</p>
      {book ? (
        <>
          <p className="pb-1 text-caption text-ink-faint">{formatWorldTime(book.at_ms)}</p>
          <BookTable book={book} label={title} taken={taken} />
        </>
      ) : (
        <p className="text-caption text-ink-soft">{t("hosting.book.none")}</p>
      )}
    </div>
  );
}
