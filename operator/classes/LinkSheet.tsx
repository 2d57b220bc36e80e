import { useState } from "react";
import type { ClassLinkView } from "#api/operator/classes.ts";
import { getClass, makeClassLink } from "#api/routes/operator/classes.ts";
import { dayMs } from "#core/money/time.ts";
import { useText } from "#i18n/useText.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { getClassLink } from "#operator/classes/classLink.ts";
import { LinkTicket } from "#operator/classes/LinkTicket.tsx";
import { Button } from "#ui/Button.tsx";
import { copyText } from "#ui/copy.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const labelMax = 60;
const limitMax = 500;

/** The day this many days from now, as the value of a date input, in this browser's time zone. */
function dayIn(days: number): string {
  const day = new Date(Date.now() + days * dayMs);
  const twoDigits = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${twoDigits(day.getMonth() + 1)}-${twoDigits(day.getDate())}`;
}

/** The end of that day, in this browser's time zone; NaN if none is chosen. */
const getEnd = (day: string) => new Date(`${day}T23:59:59`).getTime();

/** Creates a class link: its name, how many may join, until when. */
export function LinkSheet({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { label, limit, day, createdLink, isBusy, error, submit, leave } = useLinkForm(onClose);
  return (
    <Sheet
      open={isOpen}
      onOpenChange={(next) => {
        if (!next) leave();
      }}
      title={t(createdLink ? "classes.link.made" : "classes.link.make")}
      actions={
        createdLink ? (
          <Copy link={createdLink} />
        ) : (
          <>
            {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
            <Button block busy={isBusy} onClick={submit}>
              {t("classes.link.make")}
            </Button>
          </>
        )
      }
    >
      {createdLink ? (
        <LinkTicket code={createdLink.code} />
      ) : (
        <form
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <Field label={t("classes.label")} hint={t("classes.label.hint")} error={label.fault}>
            <TextInput value={label.value} onChange={label.set} autoComplete="off" />
          </Field>
          <Field label={t("classes.limit")} error={limit.fault}>
            <TextInput
              value={limit.value}
              onChange={limit.set}
              inputMode="numeric"
              autoComplete="off"
              maxLength={3}
            />
          </Field>
          <Field label={t("classes.until")} hint={t("classes.until.hint")} error={day.fault}>
            <TextInput
              type="date"
              value={day.value}
              onChange={day.set}
              min={dayIn(0)}
              max={dayIn(365)}
            />
          </Field>
        </form>
      )}
    </Sheet>
  );
}

/** The three fields, each with its error after the first attempt, and the link once it is made. */
function useLinkForm(onClose: () => void) {
  const t = useText();
  const { send, isBusy, error, reset } = useOperatorMutation(makeClassLink);
  const [label, setLabel] = useState("");
  const [limit, setLimit] = useState("30");
  const [day, setDay] = useState(() => dayIn(14));
  const [wasTried, setWasTried] = useState(false);
  const [createdLink, setCreatedLink] = useState<ClassLinkView | null>(null);
  const people = /^\d{1,3}$/.test(limit.trim()) ? Number(limit) : 0;
  const faults = {
    label:
      label.trim() === "" || Array.from(label.trim()).length > labelMax
        ? t("classes.label.form", { max: labelMax })
        : undefined,
    limit:
      people >= 1 && people <= limitMax ? undefined : t("classes.limit.form", { max: limitMax }),
    day: day >= dayIn(0) && day <= dayIn(365) ? undefined : t("classes.until.form"),
  };
  const make = async () => {
    setWasTried(true);
    if (isBusy || faults.label || faults.limit || faults.day) return;
    const { data } = await send({ label: label.trim(), limit: people, expires_at_ms: getEnd(day) });
    setCreatedLink(data.link);
    void invalidate(getClass);
  };
  const submit = () => void make().catch(() => undefined);
  const leave = () => {
    onClose();
    if (!createdLink) return;
    setCreatedLink(null);
    setLabel("");
    setWasTried(false);
    reset();
  };
  const shownFaults = wasTried ? faults : { label: undefined, limit: undefined, day: undefined };
  return {
    label: { value: label, set: setLabel, fault: shownFaults.label },
    limit: { value: limit, set: setLimit, fault: shownFaults.limit },
    day: { value: day, set: setDay, fault: shownFaults.day },
    createdLink,
    isBusy,
    error,
    submit,
    leave,
  };
}

function Copy({ link }: { link: ClassLinkView }) {
  const t = useText();
  const copy = async () => {
    const isCopied = await copyText(getClassLink(link.code));
    toast(t(isCopied ? "ui.copy.done" : "ui.copy.failed"));
  };
  return (
    <Button block onClick={() => void copy()}>
      {t("classes.link.copy")}
    </Button>
  );
}
