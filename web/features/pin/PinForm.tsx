import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getPin, removePin, setPin } from "#api/routes/pin.ts";
import { isPin } from "#core/pin/pin.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { PinInput } from "#web/features/pin/PinInput.tsx";
import { openSignIn } from "#web/features/session/sheets.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

/**
 * Sets the first PIN, or changes or removes the current one, authorised by that PIN or by a recent
 * wallet sign-in.
 */
export function PinForm({ state, onDone }: { state: AnswerOf<typeof getPin>; onDone: () => void }) {
  const { formatTime } = useIntl();
  const t = useText();
  const [current, setCurrent] = useState("");
  const [firstPin, setFirstPin] = useState("");
  const [repeatedPin, setRepeatedPin] = useState("");
  const isFresh = state.fresh_until_ms !== null;
  const requiresCurrent = state.set && !isFresh;
  const { save, remove, busy, failure } = useChange(onDone);
  const differ = repeatedPin.length === 6 && repeatedPin !== firstPin;
  const currentPinField = requiresCurrent ? { current_pin: current } : {};
  const mayGo = !requiresCurrent || isPin(current);
  return (
    <div className="flex flex-col gap-5">
      {state.set ? null : <p className="text-small text-ink-soft">{t("pin.set.text")}</p>}
      {state.set && state.fresh_until_ms !== null ? (
        <p className="text-small text-ink-soft">
          {t("pin.set.fresh", { time: formatTime(state.fresh_until_ms, { timeStyle: "short" }) })}
        </p>
      ) : null}
      {requiresCurrent ? (
        <PinInput
          label={t("pin.set.current")}
          value={current}
          onChange={setCurrent}
          error={failure}
          focus
        />
      ) : null}
      <PinInput
        label={t("pin.set.new")}
        value={firstPin}
        onChange={setFirstPin}
        focus={!requiresCurrent}
      />
      <PinInput
        label={t("pin.set.again")}
        value={repeatedPin}
        onChange={setRepeatedPin}
        error={differ ? t("pin.set.differ") : requiresCurrent ? null : failure}
      />
      <div className="flex flex-col gap-2">
        <Button
          block
          busy={busy}
          disabled={!mayGo || !isPin(firstPin) || repeatedPin !== firstPin}
          onClick={() => void save({ pin: firstPin, ...currentPinField })}
        >
          {t("pin.set.do")}
        </Button>
        {state.set ? (
          <>
            <Button
              block
              variant="outline"
              disabled={!mayGo || busy}
              onClick={() => void remove(currentPinField)}
            >
              {t("pin.remove")}
            </Button>
            <p className="text-caption text-ink-faint">{t("pin.remove.text")}</p>
          </>
        ) : null}
      </div>
      {requiresCurrent ? (
        <div>
          <p className="text-small text-ink-soft">{t("pin.forgot")}</p>
          <Button
            variant="quiet"
            size="small"
            className="mt-1 -ml-3.5"
            onClick={() => {
              onDone();
              openSignIn();
            }}
          >
            {t("pin.signInAgain")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

function useChange(onDone: () => void) {
  const errorMessage = useErrorMessage();
  const setting = useApiMutation(setPin);
  const removing = useApiMutation(removePin);
  const [failure, setFailure] = useState<string | null>(null);
  const run = async (change: () => Promise<{ msg: string }>) => {
    setFailure(null);
    try {
      toast((await change()).msg);
      onDone();
    } catch (error) {
      setFailure(errorMessage(error));
    }
    await invalidate(getPin);
  };
  return {
    save: (input: { pin: string; current_pin?: string }) => run(() => setting.send(input)),
    remove: (input: { current_pin?: string }) => run(() => removing.send(input)),
    busy: setting.isBusy || removing.isBusy,
    failure,
  };
}
