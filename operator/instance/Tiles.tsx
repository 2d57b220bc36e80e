import type { InstanceView } from "#api/operator/instance.ts";
import { useText } from "#i18n/useText.ts";
import { useFigures } from "#operator/instance/figures.ts";
import { SeverityBadge } from "./SeverityBadge.tsx";
import {
  aheadMaxMs,
  getDiskSeverity,
  getGapsSeverity,
  getJobsSeverity,
  getLagSeverity,
  getLedgerSeverity,
  type Severity,
} from "./severity.ts";

type SectionName = "market" | "log" | "ledger" | "jobs" | "storage";

interface Tile {
  id: string;
  section: SectionName;
  figure: string;
  severity: Severity;
}

/** Six figures that show whether all is well; each links to its section. */
export function Tiles({
  view,
  onOpen,
}: {
  view: InstanceView;
  onOpen: (part: SectionName) => void;
}) {
  const t = useText();
  const tiles = useTiles(view);
  return (
    <ul className="mt-4 grid grid-cols-2 gap-2 px-4 wide:grid-cols-3">
      {tiles.map(({ id, section, figure, severity }) => (
        <li key={id}>
          <button
            type="button"
            onClick={() => onOpen(section)}
            className="flex size-full min-h-22 flex-col items-start justify-between gap-1 rounded-dock border border-line bg-leaf px-3 py-2.5 text-left transition-colors hover:bg-well"
          >
            <span className="text-caption text-ink-soft">{t(`instance.tile.${id}`)}</span>
            <span className="text-body font-strong tabular-nums">{figure}</span>
            <span className="text-caption">
              <SeverityBadge severity={severity}>{t(`instance.judge.${severity}`)}</SeverityBadge>
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

function useTiles({ market, log, ledger, jobs, storage }: InstanceView): Tile[] {
  const t = useText();
  const { span, bytes, percent } = useFigures();
  const disk = getDiskSeverity(storage);
  const count = (state: string) => jobs.filter((job) => job.state === state).length;
  const troubledCounts = { failing: count("failing"), late: count("late") };
  const lag = market.feed_lag_ms;
  const lagText = (ms: number | null) => {
    if (ms === null) return t("instance.never", {});
    if (ms < -aheadMaxMs) return t("instance.ahead", { span: span(-ms) });
    return t("instance.behind", { span: span(Math.max(0, ms)) });
  };
  const { hour } = market.gaps;
  const ledgerState = getLedgerSeverity(ledger);
  const free = storage.disk_free_bytes ?? 0;
  const tiles: Tile[] = [
    {
      id: "feed",
      section: "market",
      figure: lagText(lag),
      severity: getLagSeverity(lag),
    },
    {
      id: "gaps",
      section: "market",
      figure: t("instance.missing", { missing: hour.missing, expected: hour.expected }),
      severity: getGapsSeverity(hour),
    },
    {
      id: "log",
      section: "log",
      figure: t("instance.behind", { span: span(log.lag_ms) }),
      severity: getLagSeverity(log.lag_ms),
    },
    {
      id: "ledger",
      section: "ledger",
      figure: t(`instance.adds.${ledgerState}`, {}),
      severity: ledgerState,
    },
    {
      id: "jobs",
      section: "jobs",
      figure:
        troubledCounts.failing + troubledCounts.late === 0
          ? t("instance.jobs.allRun", { count: jobs.length })
          : t("instance.jobs.troubled", troubledCounts),
      severity: getJobsSeverity(jobs),
    },
  ];
  if (disk !== null) {
    const share = percent(free / (storage.disk_total_bytes ?? 1));
    tiles.push({
      id: "disk",
      section: "storage",
      figure: t("instance.diskFree", { bytes: bytes(free), share }),
      severity: disk,
    });
  }
  return tiles;
}
