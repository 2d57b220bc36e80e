import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { Table } from "#operator/instance/Table.tsx";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";

/** Disk and memory in use, and their growth. */
export function StorageSection({ view: { storage, processes } }: { view: InstanceView }) {
  const t = useText();
  const { bytes, moment } = useFigures();
  const { before, disk_free_bytes: free, disk_total_bytes: total } = storage;
  const formatGrowth = (now: number, bytesBefore: number | undefined) =>
    before && bytesBefore !== undefined
      ? t("instance.grown", {
          bytes: `${now < bytesBefore ? "−" : "+"}${bytes(Math.abs(now - bytesBefore))}`,
          time: moment(before.at_ms),
        })
      : undefined;
  return (
    <>
      <Section
        title={t("instance.part.storage")}
        action={<ExportLink table="storage" title={t("instance.part.storage")} />}
      >
        <Row
          label={t("instance.database")}
          value={bytes(storage.database_bytes)}
          valueHint={formatGrowth(storage.database_bytes, before?.database_bytes)}
        />
        <Row
          label={t("instance.part.log")}
          value={bytes(storage.log_bytes)}
          valueHint={formatGrowth(storage.log_bytes, before?.log_bytes)}
        />
        <Row label={t("instance.part.ledger")} value={bytes(storage.ledger_bytes)} />
        <Row label={t("instance.seconds")} value={bytes(storage.market_bytes)} />
        {free === null || total === null ? (
          <Row label={t("instance.tile.disk")} value={t("instance.notMeasured")} />
        ) : (
          <Row
            label={t("instance.tile.disk")}
            value={bytes(free)}
            valueHint={t("instance.diskOf", { bytes: bytes(total) })}
          />
        )}
      </Section>
      <Section
        title={t("instance.processes")}
        note={t("instance.processesNote")}
        action={<ExportLink table="processes" title={t("instance.processes")} />}
      >
        <Table
          label={t("instance.processes")}
          rows={processes}
          getKey={({ pid, started_ms: atMs }) => `${pid} ${atMs}`}
          columns={[
            {
              id: "services",
              head: t("instance.process"),
              cell: ({ services, pid }) => `${services} (${pid})`,
            },
            {
              id: "memory",
              head: t("instance.memory"),
              isEndAligned: true,
              cell: ({ memory_bytes: size }) => bytes(size),
            },
            {
              id: "heap",
              head: t("instance.heap"),
              isEndAligned: true,
              cell: ({ heap_bytes: size }) => bytes(size),
            },
            {
              id: "since",
              head: t("instance.since"),
              isEndAligned: true,
              cell: ({ started_ms: atMs }) => moment(atMs),
            },
            {
              id: "version",
              head: t("instance.version"),
              isEndAligned: true,
              cell: ({ version }) => version,
            },
          ]}
        />
      </Section>
    </>
  );
}
