import { useEffect } from "react";
import { type IntlShape, useIntl } from "react-intl";
import type { RechargeState } from "#api/recharge.ts";
import {
  findRecharge,
  getRechargeImage,
  getRechargeList,
  getRechargeRules,
} from "#api/routes/recharge.ts";
import { getWalletList } from "#api/routes/wallet.ts";
import { isCoin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { ReviewTimeline } from "#ui/ReviewTimeline.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { invalidate, useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { groupId } from "./groupId.ts";

/** Poll interval while it is under review. */
function refetchMs(recharge: RechargeState | undefined): number | undefined {
  return recharge && recharge.status !== "over" ? 1_000 : undefined;
}

/**
 * One recharge: its progress through the review, why it ended as it did, and what could have been
 * noticed before.
 */
export function RechargeCase({ id, onAgain }: { id: string; onAgain: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const result = useRecharge(id);
  if (result.isError) {
    return (
      <div className="p-4">
        <ErrorNote onRetry={() => void result.refetch()}>{errorMessage(result.error)}</ErrorNote>
      </div>
    );
  }
  if (!result.data) return <SkeletonRows />;
  const recharge = result.data;
  return (
    <>
      <Section kind="plain" title={t("recharge.case.title")} className="mt-0!">
        <p className="mb-4 text-title font-strong">
          <Amount value={recharge.amount} coin={recharge.coin} />
        </p>
        <ReviewTimeline
          status={recharge.status}
          passed={recharge.outcome === "credited"}
          labels={{
            waiting: t("recharge.state.waiting"),
            closing: t("recharge.state.closing"),
            over: t(`recharge.state.${recharge.outcome ?? "over"}`),
          }}
          sentAtMs={recharge.accepted_at_ms}
          closingAtMs={recharge.closing_at_ms}
          overAtMs={recharge.over_at_ms}
        />
        <Outcome recharge={recharge} />
      </Section>
      <Compared recharge={recharge} />
      <div className="mt-6 px-4">
        <Button
          block
          variant={recharge.status === "over" ? "primary" : "outline"}
          onClick={onAgain}
        >
          {t("recharge.case.again")}
        </Button>
      </div>
    </>
  );
}

/** Polled until it is over; then refetches what it changed. */
function useRecharge(id: string) {
  const result = useApiQuery(findRecharge, { recharge_id: id }, { refetchMs });
  const isOver = result.data?.status === "over";
  useEffect(() => {
    if (!isOver) return;
    for (const call of [getRechargeList, getRechargeRules, getWalletList]) void invalidate(call);
  }, [isOver]);
  return result;
}

/**
 * The reason in words, and what the person could have noticed; a picture proves nothing either way.
 */
function Outcome({ recharge }: { recharge: RechargeState }) {
  const { formatDate } = useIntl();
  const t = useText();
  if (recharge.outcome === null) return null;
  if (recharge.outcome === "cancelled") {
    return <p className="mt-4 text-small">{t("recharge.cancelled.body")}</p>;
  }
  const name = recharge.outcome === "credited" ? "credited" : recharge.reason;
  const values = getValues(recharge, formatDate);
  return (
    <div className="mt-5 flex flex-col gap-3 rounded-dock border border-line bg-leaf p-4 text-small">
      <p className="font-strong">{t(`recharge.why.${name}`, values)}</p>
      <div>
        <h3 className="text-ink-soft">{t("recharge.noticed")}</h3>
        <p className="mt-1">{t(`recharge.notice.${name}`, values)}</p>
      </div>
    </div>
  );
}

function getValues(recharge: RechargeState, formatDate: IntlShape["formatDate"]) {
  const { voucher } = recharge;
  const date = (ms: number | null) =>
    ms === null ? "" : formatDate(ms, { dateStyle: "medium", timeZone: "UTC" });
  return {
    amount: `${recharge.amount} ${recharge.coin}`,
    voucherAmount: `${voucher.amount} ${voucher.coin}`,
    signedAmount: `${voucher.signed_amount ?? voucher.amount} ${voucher.coin}`,
    coin: recharge.coin,
    voucherCoin: voucher.coin,
    network: recharge.network,
    voucherNetwork: voucher.network,
    expired: date(voucher.expires_at_ms),
    used: date(voucher.used_at_ms),
  };
}

/** Form and picture side by side, so that differences show. */
function Compared({ recharge }: { recharge: RechargeState }) {
  const t = useText();
  const { voucher, image } = recharge;
  const pair = (label: string, entered: string, recognised: string) => (
    <Row
      label={label}
      value={
        <span className={entered === recognised ? "" : "font-strong text-warning"}>{entered}</span>
      }
      valueHint={
        entered === recognised ? undefined : t("recharge.case.onPicture", { value: recognised })
      }
    />
  );
  const toAmount = (amount: string, coin: string) => (isCoin(coin) ? `${amount} ${coin}` : amount);
  return (
    <Section title={t("recharge.case.compared")}>
      {pair(
        t("recharge.amount"),
        toAmount(recharge.amount, recharge.coin),
        toAmount(voucher.amount, voucher.coin),
      )}
      {pair(
        t("recharge.network"),
        t(`recharge.network.${recharge.network}`),
        t(`recharge.network.${voucher.network}`),
      )}
      <Row
        label={t("recharge.print.number")}
        value={<span className="text-small">{groupId(voucher.voucher_id)}</span>}
      />
      <div className="flex justify-center p-4">
        <img
          src={`${getRechargeImage.path}?recharge_id=${recharge.recharge_id}`}
          width={image.width}
          height={image.height}
          alt={t("recharge.case.picture")}
          loading="lazy"
          className="h-auto max-h-80 w-auto max-w-full rounded-[6px] border border-line"
        />
      </div>
    </Section>
  );
}
