import { useState } from "react";
import type { InputOf } from "#api/call.ts";
import { getClass, setContracts, setSignUp } from "#api/routes/operator/classes.ts";
import { type SignUpState, signUpStates } from "#core/session/signUp.ts";
import { useText } from "#i18n/useText.ts";
import { useMayChange } from "#operator/app/useOperator.ts";
import { useOperatorMutation } from "#operator/app/useOperatorMutation.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Dialog } from "#ui/overlay/Dialog.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

interface Props {
  contractsOn: boolean;
  signUp: SignUpState;
}

/** The instance's offers to a class: contracts or not, and who may create an account. */
export function Switches({ contractsOn, signUp }: Props) {
  const t = useText();
  const maySwitch = useMayChange("class.contracts_switch");
  const maySignUp = useMayChange("class.sign_up_switch");
  return (
    <>
      <Section title={t("classes.contracts")} kind="plain">
        <p className="font-strong">
          {t(contractsOn ? "classes.contracts.on" : "classes.contracts.off")}
        </p>
        <p className="pt-1 text-small text-ink-soft">{t("classes.contracts.text")}</p>
        {maySwitch ? <ContractsSwitch isOn={contractsOn} /> : null}
      </Section>
      <Section title={t("classes.signUp")} kind="plain">
        {maySignUp ? (
          <SignUpChoice key={signUp} value={signUp} />
        ) : (
          <p>{t(`classes.signUp.${signUp}`)}</p>
        )}
        <p className="pt-2 text-small text-ink-soft">{t("classes.signUp.text")}</p>
      </Section>
    </>
  );
}

function ContractsSwitch({ isOn }: { isOn: boolean }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy: busy, error, reset } = useOperatorMutation(setContracts);
  const [isAsking, setIsAsking] = useState(false);
  const leave = () => {
    reset();
    setIsAsking(false);
  };
  const closeContracts = async () => {
    try {
      await send({ on: !isOn });
      toast(t(isOn ? "classes.contracts.off" : "classes.contracts.on"));
      setIsAsking(false);
    } finally {
      void invalidate(getClass);
    }
  };
  const verb = t(isOn ? "classes.contracts.switchOff" : "classes.contracts.switchOn");
  return (
    <div className="pt-3">
      <Button size="small" variant="outline" onClick={() => setIsAsking(true)}>
        {verb}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(next) => {
          if (!next) leave();
        }}
        title={verb}
        actions={
          <>
            <Button variant="quiet" onClick={leave}>
              {t("ui.back")}
            </Button>
            <Button busy={busy} onClick={() => void closeContracts().catch(() => undefined)}>
              {verb}
            </Button>
          </>
        }
      >
        {t(isOn ? "classes.contracts.sureOff" : "classes.contracts.sureOn")}
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      </Dialog>
    </div>
  );
}

function SignUpChoice({ value }: { value: SignUpState }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useOperatorMutation(setSignUp);
  const [choice, setChoice] = useState(value);
  const save = async (input: InputOf<typeof setSignUp>) => {
    try {
      await send(input);
      toast(t("classes.signUp.done"));
    } finally {
      void invalidate(getClass);
    }
  };
  return (
    <div className="flex flex-col gap-3">
      <fieldset className="flex flex-col gap-2">
        <legend className="sr-only">{t("classes.signUp")}</legend>
        {signUpStates.map((state) => (
          <label
            key={state}
            className="relative flex min-h-11 flex-col justify-center rounded-dock border border-line px-3.5 py-2.5 transition-colors has-checked:border-ink has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
          >
            <input
              type="radio"
              name="sign-up"
              checked={state === choice}
              onChange={() => setChoice(state)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            <span>{t(`classes.signUp.${state}`)}</span>
          </label>
        ))}
      </fieldset>
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button
        size="small"
        busy={isBusy}
        disabled={choice === value}
        onClick={() => void save({ sign_up: choice, was: value }).catch(() => undefined)}
        className="self-start"
      >
        {t("classes.signUp.save")}
      </Button>
    </div>
  );
}
