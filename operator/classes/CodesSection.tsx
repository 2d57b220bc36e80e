import { useState } from "react";
import type { AnswerOf } from "#api/call.ts";
import { getClassCodes, makeClassCodes } from "#api/routes/operator/classRoom.ts";
import { codesMax } from "#core/classes/limits.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { getJoinAddress } from "#operator/classes/classLink.ts";
import { type Slip, SlipSheet } from "#operator/classes/SlipSheet.tsx";
import { Button } from "#ui/Button.tsx";
import { Empty } from "#ui/Empty.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { QrCode } from "#ui/QrCode.tsx";
import { Section } from "#ui/Section.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { isLoopback } from "#web/lib/isLoopback.ts";

type State = AnswerOf<typeof getClassCodes>;

/** The codes of a class: how many, a sheet to print while they are unused, the address to show. */
export function CodesSection({ classId, state }: { classId: string; state: State }) {
  const t = useText();
  const mayMake = useMayChange("class.links");
  const [isShown, setIsShown] = useState(false);
  const { codes, label } = state;
  const slips = codes.flatMap(({ number, code }): Slip[] => (code ? [{ number, code }] : []));
  const usedCount = codes.filter((classCode) => classCode.used).length;
  const codesLeft = Math.min(codesMax - codes.length, state.places_left);
  return (
    <Section title={t("classes.codes")} kind="plain">
      <div className="flex flex-col items-start gap-3">
        {isLoopback(window.location.hostname) ? (
          <p className="text-small text-warning">{t("classes.codes.loopback")}</p>
        ) : null}
        {codes.length === 0 ? (
          <Empty title={t("classes.codes.none")}>{t("classes.codes.none.text")}</Empty>
        ) : (
          <p className="font-strong tabular-nums">
            {t("classes.codes.state", { unused: codes.length - usedCount, used: usedCount })}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          {slips.length > 0 ? (
            <Button onClick={() => window.print()}>{t("classes.codes.print")}</Button>
          ) : null}
          <Button variant="outline" onClick={() => setIsShown(true)}>
            {t("classes.codes.beamer")}
          </Button>
        </div>
        {mayMake ? <MakeCodes classId={classId} remaining={codesLeft} /> : null}
      </div>
      <Sheet open={isShown} onOpenChange={setIsShown} title={label ?? t("classes.codes.beamer")}>
        <div className="flex flex-col gap-3">
          <QrCode text={getJoinAddress(null)} label={t("classes.codes.qr")} className="w-full" />
          <p className="text-title break-all select-all">{getJoinAddress(null)}</p>
          <p>{t("classes.codes.beamer.text")}</p>
        </div>
      </Sheet>
      <SlipSheet slips={slips} label={label} />
    </Section>
  );
}

function MakeCodes({ classId, remaining }: { classId: string; remaining: number }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(makeClassCodes);
  const [text, setText] = useState(() => String(Math.min(30, remaining)));
  const [wasTried, setWasTried] = useState(false);
  const count = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0;
  const isCount = count >= 1 && count <= codesMax;
  const make = async () => {
    setWasTried(true);
    if (isBusy || !isCount) return;
    await send({ class_id: classId, count });
    toast(t("classes.codes.made"));
    setWasTried(false);
    await invalidate(getClassCodes);
  };
  return (
    <form
      className="flex flex-col items-start gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void make().catch(() => undefined);
      }}
    >
      <Field
        label={t("classes.codes.count")}
        hint={t("classes.codes.count.hint", { left: remaining })}
        error={wasTried && !isCount ? t("classes.codes.count.form", { max: codesMax }) : undefined}
      >
        <TextInput
          value={text}
          onChange={setText}
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
        />
      </Field>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button type="submit" variant="outline" size="small" busy={isBusy} disabled={remaining === 0}>
        {t("classes.codes.make")}
      </Button>
    </form>
  );
}
