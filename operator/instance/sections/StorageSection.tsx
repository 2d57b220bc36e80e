import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { Table } from "#operator/instance/Table.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** What lies on the disk and in memory, and how it grows. */
export function StoragePart({ view: { storage, processes } }: { view: InstanceView }) {
  const { formatMessage } = useIntl();
  const { bytes, moment } = useFigures();
  const text = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const { before, disk_free_bytes: free, disk_total_bytes: total } = storage;
  const grown = (now: number, then: number | undefined) =>
    before && then !== undefined
      ? text("instance.grown", {
          bytes: `${now < then ? "−" : "+"}${bytes(Math.abs(now - then))}`,
          time: moment(before.at_ms),
        })
      : undefined;
  return (
    <>
      <Section
        title={text("instance.part.storage")}
        action={<ExportLink table="storage" title={text("instance.part.storage")} />}
      >
        <Row
          label={text("instance.database")}
          value={bytes(storage.database_bytes)}
          valueHint={grown(storage.database_bytes, before?.database_bytes)}
        />
        <Row
          label={text("instance.part.log")}
          value={bytes(storage.log_bytes)}
          valueHint={grown(storage.log_bytes, before?.log_bytes)}
        />
        <Row label={text("instance.part.ledger")} value={bytes(storage.ledger_bytes)} />
        <Row label={text("instance.seconds")} value={bytes(storage.market_bytes)} />
        {free === null || total === null ? (
          <Row label={text("instance.tile.disk")} value={text("instance.notMeasured")} />
        ) : (
          <Row
            label={text("instance.tile.disk")}
            value={bytes(free)}
            valueHint={text("instance.diskOf", { bytes: bytes(total) })}
          />
        )}
      </Section>
      <Section
        title={text("instance.processes")}
        note={text("instance.processesNote")}
        action={<ExportLink table="processes" title={text("instance.processes")} />}
      >
        <Table
          label={text("instance.processes")}
          rows={processes}
          keyOf={({ pid, started_ms: atMs }) => `${pid} ${atMs}`}
          columns={[
            {
              id: "services",
              head: text("instance.process"),
              cell: ({ services, pid }) => `${services} (${pid})`,
            },
            {
              id: "memory",
              head: text("instance.memory"),
              end: true,
              cell: ({ memory_bytes: size }) => bytes(size),
            },
            {
              id: "heap",
              head: text("instance.heap"),
              end: true,
              cell: ({ heap_bytes: size }) => bytes(size),
            },
            {
              id: "since",
              head: text("instance.since"),
              end: true,
              cell: ({ started_ms: atMs }) => moment(atMs),
            },
            {
              id: "version",
              head: text("instance.version"),
              end: true,
              cell: ({ version }) => version,
            },
          ]}
        />
      </Section>
    </>
  );
}
