import { IconCheck, IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { exportRoom, getRoom, openRoom } from "#api/routes/operator/classRoom.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Section } from "#ui/Section.tsx";
import { SkeletonRows } from "#ui/Skeleton.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { useSettings } from "#web/lib/settings.ts";

type Room = AnswerOf<typeof getRoom>;

/** Refetch interval of an open room view, in milliseconds; all of it counts as one look. */
const refetchMs = 3_000;

/**
 * Opened with a button, because each pupil's records say so; then shows what the class does, by
 * code, for an hour.
 */
export function RoomSection({ classId }: { classId: string }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { language } = useSettings();
  const { send, isBusy, error } = useOperatorMutation(openRoom);
  const [lookId, setLookId] = useState<string | null>(null);
  const open = async () => {
    const { data } = await send({ class_id: classId });
    setLookId(data.look_id);
  };
  return (
    <Section
      title={t("classes.room")}
      note={t("classes.room.text")}
      action={
        lookId === null ? null : (
          <Button size="small" variant="quiet" onClick={() => setLookId(null)}>
            {t("classes.room.close")}
          </Button>
        )
      }
      kind={lookId === null ? "plain" : "rows"}
    >
      {lookId === null ? (
        <div className="flex flex-col items-start gap-3">
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <Button busy={isBusy} onClick={() => void open().catch(() => undefined)}>
            {t("classes.room.open")}
          </Button>
          <a
            href={`${exportRoom.path}?class_id=${classId}&language=${language}`}
            download
            className="inline-flex min-h-11 items-center gap-1.5 text-small text-signal-ink hover:underline"
          >
            <IconDownload size={18} aria-hidden="true" />
            {t("classes.room.export")}
          </a>
          <p className="text-small text-ink-soft">{t("classes.room.export.text")}</p>
        </div>
      ) : (
        <Followed lookId={lookId} />
      )}
    </Section>
  );
}

function Followed({ lookId }: { lookId: string }) {
  const t = useText();
  const { formatTime } = useIntl();
  const errorMessage = useErrorMessage();
  const { data, error } = useApiQuery(getRoom, { look_id: lookId }, { refetchMs, staleMs: 0 });
  if (error) {
    return (
      <div className="p-4">
        <ErrorNote>{errorMessage(error)}</ErrorNote>
      </div>
    );
  }
  if (!data) return <SkeletonRows />;
  return (
    <>
      <RoomTable room={data} />
      <p className="px-4 py-2 text-small text-ink-faint">
        {t("classes.room.until", { time: formatTime(data.ends_at_ms, { timeStyle: "short" }) })}
      </p>
    </>
  );
}

const cell = "border-l border-line px-2 py-1.5 text-center";

/** One row per code, one column per task; scrolls sideways where it is wider than the screen. */
function RoomTable({ room: { tasks, codes } }: { room: Room }) {
  const t = useText();
  const joinedCount = codes.filter((classCode) => classCode.joined).length;
  return (
    <div
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must take the keyboard
      tabIndex={0} // oxlint-disable-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must take the keyboard
      className="relative overflow-x-auto focus-visible:-outline-offset-2"
    >
      <table className="w-full min-w-200 border-collapse text-small tabular-nums">
        <caption className="sr-only">{t("classes.room.table")}</caption>
        <thead>
          <tr className="align-bottom text-caption text-ink-soft">
            <th scope="col" className="px-4 py-2 text-left font-normal">
              {t("class-room.number")}
            </th>
            <th scope="col" className={`${cell} font-normal`}>
              {t("class-room.joined")}
            </th>
            {tasks.map((task) => (
              <th key={task} scope="col" className={`${cell} min-w-26 font-normal text-balance`}>
                {t(`class-room.task.${task}`)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {codes.map((classCode) => (
            <tr key={classCode.number} className="border-t border-line">
              <th scope="row" className="px-4 py-1.5 text-left font-strong">
                {classCode.number}
              </th>
              <Cell
                value={classCode.joined}
                yesLabel="classes.room.joined"
                noLabel="classes.room.absent"
              />
              {tasks.map((task) => (
                <Cell
                  key={task}
                  value={classCode.done.includes(task)}
                  yesLabel="classes.room.done"
                  noLabel="classes.room.undone"
                />
              ))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr className="border-t border-line-strong font-strong">
            <th scope="row" className="px-4 py-2 text-left">
              {t("classes.room.total")}
            </th>
            <td className={cell}>{joinedCount}</td>
            {tasks.map((task) => (
              <td key={task} className={cell}>
                {codes.filter(({ done }) => done.includes(task)).length}
              </td>
            ))}
          </tr>
        </tfoot>
      </table>
    </div>
  );
}

function Cell({ value, yesLabel, noLabel }: { value: boolean; yesLabel: string; noLabel: string }) {
  const t = useText();
  return (
    <td className={value ? `${cell} bg-well` : cell}>
      {value ? <IconCheck size={18} className="mx-auto" aria-hidden="true" /> : null}
      <span className="sr-only">{t(value ? yesLabel : noLabel)}</span>
    </td>
  );
}
