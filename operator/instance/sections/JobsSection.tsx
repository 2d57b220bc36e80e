import { useIntl } from "react-intl";
import type { InstanceView } from "#api/operator/instance.ts";
import { ExportLink } from "#operator/instance/ExportLink.tsx";
import { useFigures } from "#operator/instance/figures.ts";
import type { Judgement } from "#operator/instance/judge.ts";
import { State } from "#operator/instance/State.tsx";
import { Table } from "#operator/instance/Table.tsx";
import { Section } from "#ui/Section.tsx";

type Job = InstanceView["jobs"][number];

/** Null: nothing to judge yet. */
const judgements: Record<Job["state"], Judgement | null> = {
  fine: "good",
  running: "good",
  waiting: null,
  late: "mind",
  failing: "bad",
};
/** What needs a look comes first. */
const order: readonly Job["state"][] = ["failing", "late", "waiting", "running", "fine"];

/** Work that happens by itself: when it ran last, runs next, and how often it failed. */
export function JobsPart({ view: { jobs } }: { view: InstanceView }) {
  const { formatMessage } = useIntl();
  const { count, span, moment } = useFigures();
  const text = (id: string, values?: Record<string, string | number>) =>
    formatMessage({ id }, values);
  const scheduleOf = ({ schedule }: Job) => {
    if (schedule === null) return text("instance.job.always");
    return typeof schedule === "number"
      ? text("instance.job.every", { seconds: schedule })
      : `${schedule} UTC`;
  };
  const sorted = jobs.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));
  return (
    <Section
      title={text("instance.part.jobs")}
      note={text("instance.job.note")}
      action={<ExportLink table="jobs" title={text("instance.part.jobs")} />}
    >
      <Table
        label={text("instance.part.jobs")}
        rows={sorted}
        keyOf={({ name }) => name}
        columns={[
          {
            id: "name",
            head: text("instance.job.name"),
            cell: (job) => (
              <>
                <span className="block whitespace-nowrap">{job.name}</span>
                <span className="block text-caption whitespace-nowrap text-ink-faint">
                  {scheduleOf(job)}
                </span>
              </>
            ),
          },
          {
            id: "state",
            head: text("instance.state"),
            cell: ({ state }) => {
              const judgement = judgements[state];
              const words = text(`instance.job.${state}`);
              return judgement ? <State judgement={judgement}>{words}</State> : words;
            },
          },
          {
            id: "last",
            head: text("instance.job.last"),
            end: true,
            cell: ({ last_ms: atMs }) => (atMs === null ? "–" : moment(atMs)),
          },
          {
            id: "took",
            head: text("instance.job.took"),
            end: true,
            cell: ({ took_ms: ms }) => (ms === null ? "–" : span(ms)),
          },
          {
            id: "next",
            head: text("instance.job.next"),
            end: true,
            cell: ({ next_ms: atMs }) => (atMs === null ? "–" : moment(atMs)),
          },
          {
            id: "runs",
            head: text("instance.job.runs"),
            end: true,
            cell: ({ runs }) => count(runs),
          },
          {
            id: "failures",
            head: text("instance.job.failures"),
            end: true,
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
