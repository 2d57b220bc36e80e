import { useState } from "react";
import { getClassCodes, setClassTasks } from "#api/routes/operator/classRoom.ts";
import { type ClassTask, classTaskNames, fixedTask } from "#core/classes/tasks.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  classId: string;
  tasks: readonly ClassTask[];
}

/**
 * The closed list of tasks that a teacher chooses from; withdrawing everything is always included.
 */
export function TasksSection({ classId, tasks }: Props) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const mayChange = useMayChange("class.links");
  const { send, isBusy, error } = useOperatorMutation(setClassTasks);
  const [chosenTasks, setChosenTasks] = useState(tasks);
  const save = async () => {
    await send({ class_id: classId, tasks: [...chosenTasks] });
    toast(t("classes.tasks.done"));
    await invalidate(getClassCodes);
  };
  const toggle = (task: ClassTask) =>
    setChosenTasks((current) =>
      current.includes(task)
        ? current.filter((currentTask) => currentTask !== task)
        : [...current, task],
    );
  const isSame =
    chosenTasks.length === tasks.length && chosenTasks.every((task) => tasks.includes(task));
  return (
    <Section title={t("classes.tasks")} note={t("classes.tasks.text")} kind="plain">
      <fieldset className="flex flex-col" disabled={!mayChange}>
        <legend className="sr-only">{t("classes.tasks")}</legend>
        {classTaskNames.map((task) => (
          <label key={task} className="flex min-h-11 items-center gap-3">
            <input
              type="checkbox"
              checked={chosenTasks.includes(task)}
              disabled={task === fixedTask}
              onChange={() => toggle(task)}
              className="size-5 shrink-0 accent-(--color-ink)"
            />
            <span>{t(`class-room.task.${task}`)}</span>
          </label>
        ))}
      </fieldset>
      {mayChange ? (
        <div className="flex flex-col items-start gap-3 pt-3">
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          <Button
            size="small"
            busy={isBusy}
            disabled={isSame}
            onClick={() => void save().catch(() => undefined)}
          >
            {t("classes.tasks.save")}
          </Button>
        </div>
      ) : null}
    </Section>
  );
}
