import { IconCircle, IconCircleCheckFilled } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import { classTasks } from "#core/classes/tasks.ts";
import { useText } from "#i18n/useText.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { BackupSection } from "#web/screens/classes/BackupSection.tsx";
import type { OwnClass } from "#web/screens/classes/joining.ts";

/** The tasks of the class, who sees that they are done, and the way to another device. */
export function TaskList({ ownClass }: { ownClass: OwnClass }) {
  const t = useText();
  const { formatDate } = useIntl();
  const { number, tasks } = ownClass;
  const doneCount = tasks.filter((task) => task.done).length;
  const time = formatDate(ownClass.expires_at_ms, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      <Section
        title={t("class-room.tasks")}
        note={t("class-room.tasks.text")}
        action={
          <span className="text-small text-ink-soft tabular-nums" aria-live="polite">
            {t("class-room.tasks.count", { done: doneCount, total: tasks.length })}
          </span>
        }
      >
        {tasks.map((task) => (
          <Row
            key={task.task}
            leading={<Mark isDone={task.done} />}
            label={t(`class-room.task.${task.task}`)}
            hint={t(`class-room.how.${task.task}`)}
            to={classTasks[task.task].to}
          />
        ))}
      </Section>
      <Section title={t("class-room.seen")}>
        <div className="px-4 py-3">
          <p>
            {number === null ? t("class-room.seen.link") : t("class-room.seen.code", { number })}
          </p>
          <p className="pt-1 text-small text-ink-soft">{t("class-room.ends", { time })}</p>
        </div>
        <Row label={t("class-room.seen.records")} to="/wallet-record" />
      </Section>
      {number === null ? null : <BackupSection state={ownClass.backup} />}
    </>
  );
}

function Mark({ isDone }: { isDone: boolean }) {
  const t = useText();
  return (
    <>
      {isDone ? (
        <IconCircleCheckFilled size={22} className="text-ink" aria-hidden="true" />
      ) : (
        <IconCircle size={22} aria-hidden="true" />
      )}
      <span className="sr-only">{t(isDone ? "class-room.done" : "class-room.undone")}</span>
    </>
  );
}
