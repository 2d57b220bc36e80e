import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import { SeverityBadge } from "#operator/instance/SeverityBadge.tsx";
import type { Severity } from "#operator/instance/severity.ts";
import { Table } from "#operator/instance/Table.tsx";
import { Section } from "#ui/Section.tsx";

type Job = InstanceView["jobs"][number];

/** Null: nothing to judge yet. */
const severities: Record<Job["state"], Severity | null> = {
  fine: "good",
  running: "good",
  waiting: null,
  late: "warning",
  failing: "bad",
};
/** States that need attention come first. */
const order: readonly Job["state"][] = ["failing", "late", "waiting", "running", "fine"];

/** Background jobs: when each last ran, next runs, and how often it failed. */
export function JobsSection({ view: { jobs } }: { view: InstanceView }) {
  const t = useText();
  const { count, span, moment } = useFigures();
  const formatSchedule = ({ schedule }: Job) =>
    schedule === null ? t("instance.job.always") : t("instance.job.every", { seconds: schedule });
  const sorted = jobs.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Section
      title={t("instance.part.jobs")}
      note={t("instance.job.note")}
      action={<ExportLink table="jobs" title={t("instance.part.jobs")} />}
    >
      <Table
        label={t("instance.part.jobs")}
        rows={sorted}
        getKey={({ name }) => name}
        columns={[
          {
            id: "name",
            head: t("instance.job.name"),
            cell: (job) => (
              <>
                <span className="block whitespace-nowrap">{job.name}</span>
                <span className="block text-caption whitespace-nowrap text-ink-faint">
                  {formatSchedule(job)}
                </span>
              </>
            ),
          },
          {
            id: "state",
            head: t("instance.state"),
            cell: ({ state }) => {
              const severity = severities[state];
              const words = t(`instance.job.${state}`);
              return severity ? <SeverityBadge severity={severity}>{words}</SeverityBadge> : words;
            },
          },
          {
            id: "last",
            head: t("instance.job.last"),
            isEndAligned: true,
            cell: ({ last_ms: atMs }) => (atMs === null ? "–" : moment(atMs)),
          },
          {
            id: "took",
            head: t("instance.job.took"),
            isEndAligned: true,
            cell: ({ took_ms: ms }) => (ms === null ? "–" : span(ms)),
          },
          {
            id: "next",
            head: t("instance.job.next"),
            isEndAligned: true,
            cell: ({ next_ms: atMs }) => (atMs === null ? "–" : moment(atMs)),
          },
          {
            id: "runs",
            head: t("instance.job.runs"),
            isEndAligned: true,
            cell: ({ runs }) => count(runs),
          },
          {
            id: "failures",
            head: t("instance.job.failures"),
            isEndAligned: true,
            cell: ({ failures, failed_ms: atMs, error }) =>
              failures === 0 || atMs === null ? (
                "0"
              ) : (
                <>
                  <span className="block">{count(failures)}</span>
                  <span className="block text-caption text-ink-faint">
                    {error} · {moment(atMs)}
                  </span>
                </>
              ),
          },
        ]}
      />
    </Section>
  );
}
