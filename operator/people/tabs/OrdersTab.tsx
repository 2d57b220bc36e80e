import { useState } from "react";
import { useIntl } from "react-intl";
import {
  getPersonContractOrders,
  getPersonHostingOrders,
  getPersonLeases,
} from "#api/routes/operator/people.ts";
import { useText } from "#i18n/useText.ts";
import { Empty } from "#ui/Empty.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Row } from "#ui/Row.tsx";
import { PagedList } from "#web/lib/api/PagedList.tsx";
import { useApiPages } from "#web/lib/api/useApiPages.ts";

type Line = "contract" | "hosting" | "mining";
const lists = { contract: Contracts, hosting: Hosting, mining: Leases } as const;

/** Orders of the three product lines, newest first. */
export function OrdersTab({ viewingId }: { viewingId: string }) {
  const t = useText();
  const [line, setLine] = useState<Line>("contract");
  const List = lists[line];
  return (
    <>
      <div className="p-4">
        <Segmented
          label={t("people.part.orders")}
          value={line}
          onChange={setLine}
          options={(["contract", "hosting", "mining"] as const).map((value) => ({
            value,
            label: t(`records.group.${value}`),
          }))}
        />
      </div>
      <List key={line} viewingId={viewingId} />
    </>
  );
}

interface Props {
  viewingId: string;
}

function useTime() {
  const { formatDate } = useIntl();
  return (atMs: number) => formatDate(atMs, { dateStyle: "medium", timeStyle: "medium" });
}

function Contracts({ viewingId }: Props) {
  const t = useText();
  const time = useTime();
  const list = useApiPages(getPersonContractOrders, { viewing_id: viewingId, page_size: 10 });
  return (
    <PagedList
      list={list}
      keyOf={(one) => one.order_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(one) => (
        <Row
          label={`${one.symbol} · ${t(`contracts.order.${one.direction}`)}`}
          hint={time(one.accepted_at_ms)}
          value={<Amount value={one.stake} coin={one.coin} />}
          valueHint={
            one.outcome === null ? (
              t(one.status === "closing" ? "contracts.orders.closing" : "contracts.orders.waiting")
            ) : (
              <>
                {t(`contracts.order.${one.outcome}`)}
                {one.net === null ? null : (
                  <>
                    {" "}
                    <Amount value={one.net} coin={one.coin} signed toned />
                  </>
                )}
              </>
            )
          }
        />
      )}
    </PagedList>
  );
}

function Hosting({ viewingId }: Props) {
  const t = useText();
  const time = useTime();
  const list = useApiPages(getPersonHostingOrders, { viewing_id: viewingId, page_size: 10 });
  return (
    <PagedList
      list={list}
      keyOf={(one) => one.order_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(one) => (
        <Row
          label={`${t(`hosting.strategy.${one.strategy}`)} · ${t(`hosting.order.${one.action}`)}`}
          hint={time(one.accepted_at_ms)}
          value={one.amount === null ? null : <Amount value={one.amount} coin={one.coin} />}
          valueHint={t(
            one.outcome === null ? "hosting.order.waiting" : `hosting.order.${one.outcome}`,
          )}
        />
      )}
    </PagedList>
  );
}

function Leases({ viewingId }: Props) {
  const t = useText();
  const time = useTime();
  const list = useApiPages(getPersonLeases, { viewing_id: viewingId, page_size: 10 });
  return (
    <PagedList
      list={list}
      keyOf={(one) => one.lease_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(one) => (
        <Row
          label={`${one.maker} ${one.model} × ${one.quantity}`}
          hint={`${time(one.accepted_at_ms)} · ${t(`mining.status.${one.status}`)}`}
          value={<Amount value={one.mined} coin="pBTC" />}
          valueHint={
            one.result === null ? undefined : (
              <Amount value={one.result} coin={one.coin} signed toned />
            )
          }
        />
      )}
    </PagedList>
  );
}
