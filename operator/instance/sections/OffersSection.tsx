import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { SeverityBadge } from "#operator/instance/SeverityBadge.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Section } from "#ui/Section.tsx";

/** Open positions against each limit: contracts, machines, pools. */
export function OffersSection({ view: { exposure, machines, pools } }: { view: InstanceView }) {
  const t = useText();
  const { count, utc } = useFigures();
  const action = (table: "exposure" | "machines" | "pools") => (
    <ExportLink table={table} title={t(`instance.${table}`)} />
  );
  return (
    <>
      <Section
        title={t("instance.exposure")}
        note={t("instance.exposureNote")}
        action={action("exposure")}
      >
        <Table
          label={t("instance.exposure")}
          rows={exposure}
          getKey={({ contract_id: id }) => id}
          columns={[
            { id: "symbol", head: t("instance.contract"), cell: ({ symbol }) => symbol },
            {
              id: "used",
              head: t("instance.open"),
              isEndAligned: true,
              cell: ({ used }) => <Amount value={used} coin="pUSDT" bare />,
            },
            {
              id: "cap",
              head: t("instance.limit"),
              isEndAligned: true,
              cell: ({ cap }) => <Amount value={cap} coin="pUSDT" />,
            },
            {
              id: "share",
              head: t("instance.share"),
              isEndAligned: true,
              cell: ({ used, cap }) => <Share usedShare={Number(used)} cap={Number(cap)} />,
            },
          ]}
        />
      </Section>
      <Section title={t("instance.machines")} action={action("machines")}>
        <Table
          label={t("instance.machines")}
          rows={machines}
          getKey={({ product_id: id }) => id}
          columns={[
            { id: "id", head: t("instance.machine"), cell: ({ product_id: id }) => id },
            {
              id: "leased",
              head: t("instance.leased"),
              isEndAligned: true,
              cell: ({ leased }) => count(leased),
            },
            {
              id: "stock",
              head: t("instance.stock"),
              isEndAligned: true,
              cell: ({ stock }) => count(stock),
            },
            {
              id: "share",
              head: t("instance.share"),
              isEndAligned: true,
              cell: ({ leased, stock }) => <Share usedShare={leased} cap={stock} />,
            },
            {
              id: "sold",
              head: t("instance.state"),
              isEndAligned: true,
              cell: ({ sold }) => t(sold ? "instance.sold" : "instance.notSold"),
            },
          ]}
        />
      </Section>
      <Section title={t("instance.pools")} note={t("instance.poolsNote")} action={action("pools")}>
        <Table
          label={t("instance.pools")}
          rows={pools}
          getKey={({ pool_id: id }) => id}
          columns={[
            { id: "id", head: t("instance.pool"), cell: ({ pool_id: id }) => id },
            {
              id: "people",
              head: t("instance.people"),
              isEndAligned: true,
              cell: ({ people }) =>
                people === null ? "–" : <Amount value={people} coin="pUSDT" bare />,
            },
            {
              id: "house",
              head: t("instance.house"),
              isEndAligned: true,
              cell: ({ house }) => (house === null ? "–" : <Amount value={house} coin="pUSDT" />),
            },
            {
              id: "holders",
              head: t("instance.holders"),
              isEndAligned: true,
              cell: ({ holders }) => count(holders),
            },
            {
              id: "mark",
              head: t("instance.lastMark"),
              isEndAligned: true,
              cell: ({ mark_at_ms: atMs }) => (atMs === null ? "–" : utc(atMs)),
            },
            {
              id: "state",
              head: t("instance.state"),
              isEndAligned: true,
              cell: ({ suspended }) => t(suspended ? "instance.notSold" : "instance.sold"),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** Used share of a limit: needs attention from four fifths on, wrong when nothing is left. */
function Share({ usedShare, cap }: { usedShare: number; cap: number }) {
  const { percent } = useFigures();
  const share = cap > 0 ? usedShare / cap : 1;
  if (share < 0.8) return percent(share);
  return <SeverityBadge severity={share >= 1 ? "bad" : "warning"}>{percent(share)}</SeverityBadge>;
}
