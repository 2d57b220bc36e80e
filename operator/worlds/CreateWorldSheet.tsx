import { useState } from "react";
import type { WorldView } from "#api/operator/worlds.ts";
import { createWorld, getWorlds } from "#api/routes/operator/worlds.ts";
import { worldTemplates } from "#core/market/templates.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { useFieldLink } from "#ui/form/fieldContext.ts";
import { inputClass, TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Row } from "#ui/Row.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/** Creates a world from a template, and shows its code and address. */
export function CreateWorldSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { made, isBusy, error, submit, start, ...form } = useNewWorld(isOpen);
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
      title={made?.name ?? t("worlds.new.title")}
      actions={
        made ? (
          <Button block variant="quiet" onClick={onClose}>
            {t("ui.close")}
          </Button>
        ) : (
          <>
            {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
            <Button block busy={isBusy} onClick={submit}>
              {t("worlds.new.do")}
            </Button>
          </>
        )
      }
    >
      {made ? (
        <CreatedWorld world={made} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field label={t("worlds.name")} hint={t("worlds.name.hint")} error={form.name.fault}>
            <TextInput
              value={form.name.value}
              onChange={form.name.set}
              maxLength={32}
              autoComplete="off"
            />
          </Field>
          <Field label={t("worlds.template")}>
            <TemplateChoice value={form.template.value} onChange={form.template.set} />
          </Field>
          <Field label={t("worlds.speed")} hint={t("worlds.speed.hint")} error={form.speed.fault}>
            <TextInput
              value={form.speed.value}
              onChange={form.speed.set}
              inputMode="numeric"
              autoComplete="off"
            />
          </Field>
          <Field label={t("worlds.start")} hint={t("worlds.start.hint")}>
            <TextInput type="date" value={start.value} onChange={start.set} />
          </Field>
          <p className="text-small text-ink-soft">{t("worlds.fixed")}</p>
        </form>
      )}
    </Sheet>
  );
}

function CreatedWorld({ world }: { world: WorldView }) {
  const t = useText();
  return (
    <div className="-mx-4">
      <Row label={t("worlds.code")} value={<span className="font-mono">{world.code}</span>} />
      <Row label={t("worlds.address")} hint={<span className="break-all">{world.address}</span>} />
      <p className="px-4 pt-3 text-small text-ink-soft">{t("worlds.created")}</p>
    </div>
  );
}

/** The fields, with their errors after the first attempt. */
function useNewWorld(open: boolean) {
  const t = useText();
  const { send, isBusy, error, reset } = useOperatorMutation(createWorld);
  const [name, setName] = useState("");
  const [template, setTemplate] = useState("blank");
  const [speed, setSpeed] = useState("");
  const [start, setStart] = useState("");
  const [isSubmitted, setIsSubmitted] = useState(false);
  const [created, setCreated] = useState<WorldView | null>(null);
  const [wasOpen, setWasOpen] = useState(open);
  if (open !== wasOpen) {
    setWasOpen(open);
    if (open) {
      reset();
      setCreated(null);
      setName("");
      setIsSubmitted(false);
    }
  }
  const isName = /^[a-z]([a-z0-9-]{0,30}[a-z0-9])?$/.test(name);
  const isSpeed = speed === "" || /^([1-9]|[1-5][0-9]|60)$/.test(speed);
  const create = async () => {
    setIsSubmitted(true);
    if (isBusy || !isName || !isSpeed) return;
    const times = {
      speed: speed === "" ? null : Number(speed),
      start: start === "" ? null : start,
    };
    const { data } = await send({ name, template, ...times });
    setCreated(data);
    void invalidate(getWorlds);
  };
  return {
    name: {
      value: name,
      set: setName,
      fault: isSubmitted && !isName ? t("worlds.name.form") : undefined,
    },
    template: { value: template, set: setTemplate },
    speed: {
      value: speed,
      set: setSpeed,
      fault: isSubmitted && !isSpeed ? t("worlds.speed.form") : undefined,
    },
    start: { value: start, set: setStart },
    made: created,
    isBusy,
    error,
    submit: () => void create().catch(() => undefined),
  };
}

function TemplateChoice({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const t = useText();
  const link = useFieldLink();
  return (
    <select
      {...link}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      className={inputClass}
    >
      {worldTemplates.map(({ name }) => (
        <option key={name} value={name}>
          {t(`worlds.template.${name}`)}
        </option>
      ))}
    </select>
  );
}
