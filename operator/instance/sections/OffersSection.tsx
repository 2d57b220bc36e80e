import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { State } from "#operator/instance/State.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { Amount } from "#ui/figures/Amount.tsx";
import { Section } from "#ui/Section.tsx";

/** What is open against each limit: contracts, machines, pools. */
export function OffersPart({ view: { exposure, machines, pools } }: { view: InstanceView }) {
  const { formatMessage } = useIntl();
  const { count, utc } = useFigures();
  const text = (id: string) => formatMessage({ id });
  const action = (table: "exposure" | "machines" | "pools") => (
    <ExportLink table={table} title={text(`instance.${table}`)} />
  );
  return (
    <>
      <Section
        title={text("instance.exposure")}
        note={text("instance.exposureNote")}
        action={action("exposure")}
      >
        <Table
          label={text("instance.exposure")}
          rows={exposure}
          keyOf={({ contract_id: id }) => id}
          columns={[
            { id: "symbol", head: text("instance.contract"), cell: ({ symbol }) => symbol },
            {
              id: "used",
              head: text("instance.open"),
              end: true,
              cell: ({ used }) => <Amount value={used} coin="pUSDT" bare />,
            },
            {
              id: "cap",
              head: text("instance.limit"),
              end: true,
              cell: ({ cap }) => <Amount value={cap} coin="pUSDT" />,
            },
            {
              id: "share",
              head: text("instance.share"),
              end: true,
              cell: ({ used, cap }) => <Share used={Number(used)} cap={Number(cap)} />,
            },
          ]}
        />
      </Section>
      <Section title={text("instance.machines")} action={action("machines")}>
        <Table
          label={text("instance.machines")}
          rows={machines}
          keyOf={({ product_id: id }) => id}
          columns={[
            { id: "id", head: text("instance.machine"), cell: ({ product_id: id }) => id },
            {
              id: "leased",
              head: text("instance.leased"),
              end: true,
              cell: ({ leased }) => count(leased),
            },
            {
              id: "stock",
              head: text("instance.stock"),
              end: true,
              cell: ({ stock }) => count(stock),
            },
            {
              id: "share",
              head: text("instance.share"),
              end: true,
              cell: ({ leased, stock }) => <Share used={leased} cap={stock} />,
            },
            {
              id: "sold",
              head: text("instance.state"),
              end: true,
              cell: ({ sold }) => text(sold ? "instance.sold" : "instance.notSold"),
            },
          ]}
        />
      </Section>
      <Section
        title={text("instance.pools")}
        note={text("instance.poolsNote")}
        action={action("pools")}
      >
        <Table
          label={text("instance.pools")}
          rows={pools}
          keyOf={({ pool_id: id }) => id}
          columns={[
            { id: "id", head: text("instance.pool"), cell: ({ pool_id: id }) => id },
            {
              id: "people",
              head: text("instance.people"),
              end: true,
              cell: ({ people }) =>
                people === null ? "–" : <Amount value={people} coin="pUSDT" bare />,
            },
            {
              id: "house",
              head: text("instance.house"),
              end: true,
              cell: ({ house }) => (house === null ? "–" : <Amount value={house} coin="pUSDT" />),
            },
            {
              id: "holders",
              head: text("instance.holders"),
              end: true,
              cell: ({ holders }) => count(holders),
            },
            {
              id: "mark",
              head: text("instance.lastMark"),
              end: true,
              cell: ({ mark_at_ms: atMs }) => (atMs === null ? "–" : utc(atMs)),
            },
            {
              id: "state",
              head: text("instance.state"),
              end: true,
              cell: ({ suspended }) => text(suspended ? "instance.notSold" : "instance.sold"),
            },
          ]}
        />
      </Section>
    </>
  );
}

/** How much of a limit is used: worth a look from four fifths on, wrong when nothing is left. */
function Share({ used, cap }: { used: number; cap: number }) {
  const { percent } = useFigures();
  const share = cap > 0 ? used / cap : 1;
  if (share < 0.8) return percent(share);
  return <State judgement={share >= 1 ? "bad" : "mind"}>{percent(share)}</State>;
}
