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
      keyOf={(item) => item.order_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(item) => (
        <Row
          label={`${item.symbol} · ${t(`contracts.order.${item.direction}`)}`}
          hint={time(item.accepted_at_ms)}
          value={<Amount value={item.stake} coin={item.coin} />}
          valueHint={
            item.outcome === null ? (
              t(item.status === "closing" ? "contracts.orders.closing" : "contracts.orders.waiting")
            ) : (
              <>
                {t(`contracts.order.${item.outcome}`)}
                {item.net === null ? null : (
                  <>
                    {" "}
                    <Amount value={item.net} coin={item.coin} signed toned />
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
      keyOf={(item) => item.order_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(item) => (
        <Row
          label={`${t(`hosting.strategy.${item.strategy}`)} · ${t(`hosting.order.${item.action}`)}`}
          hint={time(item.accepted_at_ms)}
          value={item.amount === null ? null : <Amount value={item.amount} coin={item.coin} />}
          valueHint={t(
            item.outcome === null ? "hosting.order.waiting" : `hosting.order.${item.outcome}`,
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
      keyOf={(item) => item.lease_id}
      empty={<Empty title={t("people.none.orders")} />}
    >
      {(item) => (
        <Row
          label={`${item.maker} ${item.model} × ${item.quantity}`}
          hint={`${time(item.accepted_at_ms)} · ${t(`mining.status.${item.status}`)}`}
          value={<Amount value={item.mined} coin="pBTC" />}
          valueHint={
            item.result === null ? undefined : (
              <Amount value={item.result} coin={item.coin} signed toned />
            )
          }
        />
      )}
    </PagedList>
  );
}
