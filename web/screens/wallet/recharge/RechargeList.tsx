import { useIntl } from "react-intl";
import type { RechargeState } from "#api/recharge.ts";
import { getRechargeList } from "#api/routes/recharge.ts";
import type { Coin } from "#core/money/coins.ts";
import { useText } from "#i18n/useText.ts";
import { Badge, type BadgeTone } from "#ui/Badge.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Poll interval while one of them is not over. */
function refetchMs(list: { items: RechargeState[] } | undefined): number | undefined {
  return list?.items.some(({ status }) => status !== "over") ? 2_000 : undefined;
}

/** The latest recharges of a coin. */
export function RechargeList({ coin, onOpen }: { coin: Coin; onOpen: (id: string) => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const list = useApiQuery(getRechargeList, { coin, page: 1, page_size: 10 }, { refetchMs });
  return (
    <Section title={t("recharge.list")}>
      {list.isError ? (
        <div className="p-4">
          <ErrorNote onRetry={() => void list.refetch()}>{errorMessage(list.error)}</ErrorNote>
        </div>
      ) : list.data ? (
        list.data.items.length > 0 ? (
          list.data.items.map((recharge) => (
            <Item key={recharge.recharge_id} recharge={recharge} onOpen={onOpen} />
          ))
        ) : (
          <p className="px-4 py-4 text-small text-ink-soft">{t("recharge.none")}</p>
        )
      ) : (
        <SkeletonRows count={2} />
      )}
    </Section>
  );
}

/** Not the rise and fall colours, whose meaning depends on the person's convention. */
const tones: Record<string, BadgeTone> = { refused: "warning" };

function Item({ recharge, onOpen }: { recharge: RechargeState; onOpen: (id: string) => void }) {
  const { formatDate } = useIntl();
  const t = useText();
  const { outcome, status } = recharge;
  const state = outcome ?? status;
  return (
    <Row
      label={<Amount value={recharge.amount} coin={recharge.coin} />}
      hint={formatDate(recharge.accepted_at_ms, {
        month: "short",
        day: "numeric",
        hour: "numeric",
        minute: "2-digit",
      })}
      value={<Badge tone={tones[state] ?? "neutral"}>{t(`recharge.state.${state}`)}</Badge>}
      valueHint={recharge.reason ? t(`recharge.reason.${recharge.reason}`) : undefined}
      onClick={() => onOpen(recharge.recharge_id)}
    />
  );
}
