import { useRef, useState } from "react";
import { ApiError } from "#api/client.ts";
import type { IdentitySpecimen } from "#api/identity.ts";
import { getRealNameInfo, getRealNameList, realNameVerify } from "#api/routes/identity.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { UploadProgress } from "#web/features/picture/UploadProgress.tsx";
import { useUpload } from "#web/features/picture/useUpload.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";
import { DocumentStep } from "./DocumentStep.tsx";
import { PersonStep } from "./PersonStep.tsx";
import { PictureStep } from "./PictureStep.tsx";
import type { TextName, VerifyFormState } from "./useVerifyForm.ts";

export interface VerifyFormProps {
  form: VerifyFormState;
  specimen: IdentitySpecimen | null;
  /** Shows the identity again while the form is being filled in. */
  onLook: () => void;
  onSent: () => void;
  onBack: () => void;
}

const steps = ["person", "document", "picture"] as const;

/** The form as other platforms have it, in three steps. What was typed survives every error. */
export default function VerifyForm({ form, specimen, onLook, onSent, onBack }: VerifyFormProps) {
  const t = useText();
  const { step, box, missing, isPictureMissing, failure, verify, ...act } = useSteps(form, onSent);
  return (
    <Section kind="plain" className="mt-4!">
      <Steps step={step} />
      <fieldset
        ref={box}
        tabIndex={-1}
        aria-label={t(`identity.step.${steps[step]}`)}
        className="mt-5 flex min-w-0 flex-col gap-5 outline-none"
      >
        {specimen ? (
          <Button variant="outline" size="small" onClick={onLook}>
            {t("identity.yours")}
          </Button>
        ) : null}
        {step === 0 ? <PersonStep form={form} missing={missing} /> : null}
        {step === 1 ? <DocumentStep form={form} missing={missing} /> : null}
        {step === 2 ? (
          <PictureStep form={form} isMissing={isPictureMissing} onChange={act.forget} />
        ) : null}
        {failure ? <ErrorNote>{failure}</ErrorNote> : null}
        {verify.progress === null ? (
          <div className="flex flex-col gap-2">
            {step < 2 ? (
              <Button block onClick={act.next}>
                {t("identity.next")}
              </Button>
            ) : (
              <Button block onClick={act.send}>
                {t("identity.send")}
              </Button>
            )}
            <Button block variant="quiet" onClick={step === 0 ? onBack : act.back}>
              {t("identity.back")}
            </Button>
          </div>
        ) : (
          <UploadProgress
            percent={verify.progress}
            text={t(verify.progress < 100 ? "identity.sending" : "identity.reading", {
              percent: verify.progress,
            })}
            label={t("identity.progress")}
            cancelLabel={t("identity.stop")}
            onCancel={verify.stop}
          />
        )}
      </fieldset>
    </Section>
  );
}

/** Which step is shown, what is missing in it, and the sending behind the last one. */
function useSteps(form: VerifyFormState, onSent: () => void) {
  const t = useText();
  const [step, setStep] = useState(0);
  const [missingNames, setMissingNames] = useState<TextName[]>([]);
  const [isPictureMissing, setIsPictureMissing] = useState(false);
  const box = useRef<HTMLFieldSetElement>(null);
  const { failure, forget, submit, verify } = useSubmit(form, onSent);
  const turnTo = (next: number) => {
    setMissingNames([]);
    forget();
    setStep(next);
    // The button was at the bottom; the next step starts at the top.
    window.scrollTo(0, 0);
    requestAnimationFrame(() => box.current?.focus({ preventScroll: true }));
  };
  const complain = (fields: TextName[]) => {
    setMissingNames(fields);
    toast(t("identity.missing"));
    requestAnimationFrame(() => {
      box.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
    });
  };
  const next = () => {
    const fields = form.missing(step);
    if (fields.length > 0) complain(fields);
    else turnTo(step + 1);
  };
  const send = () => {
    const incompleteStep = [0, 1].find((item) => form.missing(item).length > 0);
    if (incompleteStep !== undefined) {
      setStep(incompleteStep);
      return complain(form.missing(incompleteStep));
    }
    setIsPictureMissing(!form.picture);
    if (!form.picture) return toast(t("identity.missing"));
    void submit();
  };
  const goBack = () => turnTo(step - 1);
  return {
    step,
    box,
    missing: missingNames,
    isPictureMissing,
    failure,
    verify,
    forget,
    next,
    send,
    back: goBack,
  };
}

function Steps({ step }: { step: number }) {
  const t = useText();
  const count = steps.length;
  return (
    <div>
      <div className="flex gap-1.5" aria-hidden="true">
        {steps.map((name, index) => (
          <span
            key={name}
            className={cx("h-1 flex-1 rounded-dock", index <= step ? "bg-ink" : "bg-well")}
          />
        ))}
      </div>
      <p className="mt-2 flex justify-between gap-3 text-small" aria-live="polite">
        <span className="font-strong">{t(`identity.step.${steps[step]}`)}</span>
        <span className="text-ink-soft">{t("identity.step", { step: step + 1, count })}</span>
      </p>
    </div>
  );
}

function useSubmit(form: VerifyFormState, onSent: () => void) {
  const errorMessage = useErrorMessage();
  const { signIn } = useSession();
  const verify = useUpload(realNameVerify);
  const [failure, setFailure] = useState<string | null>(null);
  const submit = async () => {
    if (!form.picture) return;
    setFailure(null);
    try {
      if (!(await verify.send({ ...form.texts }, form.picture))) return;
      await Promise.all([invalidate(getRealNameInfo), invalidate(getRealNameList)]);
      onSent();
    } catch (error) {
      setFailure(errorMessage(error));
      if (error instanceof ApiError && error.error === "session.required") signIn();
    }
  };
  return { submit, verify, failure, forget: () => setFailure(null) };
}
