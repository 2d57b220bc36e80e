import type { ExportTable, InstanceHistory } from "#api/operator/instance.ts";
import { getInstanceHistory } from "#api/routes/operator/instance.ts";
import { hourMs } from "#core/money/time.ts";
import { useText } from "#i18n/useText.ts";
import { ConsolePage } from "#operator/app/ConsolePage.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { Chart } from "./Chart.tsx";
import { ExportLink } from "./ExportLink.tsx";
import { useFigures } from "./figures.ts";
import { AsOf, QueryState } from "./QueryState.tsx";

const refetchMs = 15_000;
const hourGapMs = 2.5 * hourMs;

/** How this instance was used by day, and how it performed and grew. */
export default function UsagePage() {
  const t = useText();
  const query = useApiQuery(getInstanceHistory, {}, { refetchMs });
  return (
    <ConsolePage
      title={t("console.nav.use")}
      lead={t("instance.useLead")}
      actions={query.data ? <AsOf atMs={query.data.as_of_ms} /> : null}
    >
      <QueryState query={query}>{(history) => <Charts history={history} />}</QueryState>
    </ConsolePage>
  );
}

function Charts({ history: { use, minutes, hours, gaps } }: { history: InstanceHistory }) {
  const t = useText();
  const { count, bytes, span, day, hour, utcHour, dayHour } = useFigures();
  const newest = minutes.at(-1);
  const lastHourMs = hours.at(-1)?.at_ms ?? 0;
  const upToNow = newest && newest.at_ms > lastHourMs ? [...hours, newest] : hours;
  const byDay = (field: "accounts" | "orders" | "settled" | "withdrawals") => (
    <Chart
      title={t(`instance.use.${field}`)}
      kind="bars"
      figure={count}
      moment={day}
      points={use.map((row) => ({ atMs: row.day_ms, value: row[field] }))}
    />
  );
  const byMinute = (field: "feed_lag_ms" | "log_lag_ms") => (
    <Chart
      title={t(`instance.use.${field}`)}
      kind="line"
      figure={span}
      moment={hour}
      points={minutes.map((row) => ({ atMs: row.at_ms, value: row[field] }))}
    />
  );
  const byHour = (field: "database_bytes" | "log_bytes" | "memory_bytes" | "disk_free_bytes") => (
    <Chart
      title={t(`instance.use.${field}`)}
      kind="line"
      base={1024}
      gapMs={hourGapMs}
      figure={bytes}
      moment={dayHour}
      points={upToNow.map((row) => ({ atMs: row.at_ms, value: row[field] }))}
    />
  );
  return (
    <>
      <Group id="byDay" table="use">
        {byDay("accounts")}
        {byDay("orders")}
        {byDay("settled")}
        {byDay("withdrawals")}
      </Group>
      <Group id="byMinute" table="minutes">
        {byMinute("feed_lag_ms")}
        {byMinute("log_lag_ms")}
      </Group>
      <Group id="gapsByHour" table="gaps">
        <Chart
          title={t("instance.gaps")}
          kind="bars"
          figure={count}
          moment={utcHour}
          points={gaps.map((row) => ({ atMs: row.hour_ms, value: row.missing }))}
        />
      </Group>
      <Group id="growth" table="hours">
        {byHour("database_bytes")}
        {byHour("log_bytes")}
        {byHour("memory_bytes")}
        {byHour("disk_free_bytes")}
      </Group>
    </>
  );
}

function Group({
  id,
  table,
  children,
}: {
  id: string;
  table: ExportTable;
  children: React.ReactNode;
}) {
  const t = useText();
  const title = t(`instance.use.${id}`);
  return (
    <Section
      title={title}
      note={t(`instance.use.${id}Note`)}
      action={<ExportLink table={table} title={title} />}
      kind="rows"
    >
      <div className="grid grid-cols-1 wide:grid-cols-2">{children}</div>
    </Section>
  );
}
