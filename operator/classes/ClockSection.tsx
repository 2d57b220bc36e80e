import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getClass, pauseClock, resumeClock } from "#api/routes/operator/classes.ts";
import { minuteMs } from "#core/money/time.ts";
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

type Clock = AnswerOf<typeof getClass>["clock"];

/** Real seconds between announcing a pause and its start (`pauseLeadMs` of the server). */
const soonSeconds = 10;
/** Delays offered for a pause, in real minutes; null: immediately. */
const delays = [null, 5, 10, 20, 40] as const;

/** The state of the market, and its pauses for the class. */
export function ClockSection({ clock }: { clock: Clock }) {
  const t = useText();
  const { formatDate } = useIntl();
  const mayChange = useMayChange("class.clock");
  const { pause, now_ms: nowMs, can_pause: canPause } = clock;
  const time = pause && formatDate(pause.at_ms, { dateStyle: "medium", timeStyle: "medium" });
  const isReached = pause !== null && nowMs >= pause.at_ms;
  return (
    <Section title={t("classes.clock")} kind="plain">
      <p className="font-strong tabular-nums" aria-live="polite">
        {time === null
          ? t("classes.clock.running")
          : t(isReached ? "classes.clock.paused" : "classes.clock.announced", { time })}
      </p>
      <p className="pt-1 text-small text-ink-soft">
        {t(canPause || pause ? "classes.clock.text" : "classes.clock.fixed")}
      </p>
      {mayChange && pause ? <Resume ordinal={pause.ordinal} isReached={isReached} /> : null}
      {mayChange && !pause && canPause ? <Pause clock={clock} /> : null}
    </Section>
  );
}

function Resume({ ordinal, isReached }: { ordinal: number; isReached: boolean }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy: busy, error } = useOperatorMutation(resumeClock);
  const setClock = async () => {
    try {
      await send({ ordinal });
      toast(t("classes.clock.done.resumed"));
    } finally {
      void invalidate(getClass);
    }
  };
  return (
    <div className="flex flex-col items-start gap-3 pt-3">
      {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      <Button size="small" busy={busy} onClick={() => void setClock().catch(() => undefined)}>
        {t(isReached ? "classes.clock.resume" : "classes.clock.callOff")}
      </Button>
    </div>
  );
}

function Pause({ clock }: { clock: Clock }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error, reset } = useOperatorMutation(pauseClock);
  const [isAsking, setIsAsking] = useState(false);
  const [minutes, setMinutes] = useState<number | null>(null);
  const leave = () => {
    reset();
    setIsAsking(false);
  };
  const confirmPause = async () => {
    try {
      await send({ at_ms: minutes === null ? null : getAtMs(clock, minutes) });
      toast(t("classes.clock.done.paused"));
      setIsAsking(false);
    } finally {
      void invalidate(getClass);
    }
  };
  return (
    <div className="pt-3">
      <Button size="small" variant="outline" onClick={() => setIsAsking(true)}>
        {t("classes.clock.pause.title")}
      </Button>
      <Dialog
        open={isAsking}
        onOpenChange={(next) => {
          if (!next) leave();
        }}
        title={t("classes.clock.pause.title")}
        actions={
          <>
            <Button variant="quiet" onClick={leave}>
              {t("ui.back")}
            </Button>
            <Button busy={isBusy} onClick={() => void confirmPause().catch(() => undefined)}>
              {t("classes.clock.pause")}
            </Button>
          </>
        }
      >
        <p>{t("classes.clock.pause.text")}</p>
        <Choices clock={clock} value={minutes} choose={setMinutes} />
        {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
      </Dialog>
    </div>
  );
}

/** The world second that is this many real minutes ahead. */
function getAtMs({ now_ms: nowMs, speed }: Clock, minutes: number): number {
  return nowMs + minutes * minuteMs * speed;
}

interface ChoicesProps {
  clock: Clock;
  value: number | null;
  choose: (minutes: number | null) => void;
}

function Choices({ clock, value, choose }: ChoicesProps) {
  const t = useText();
  const { formatTime } = useIntl();
  return (
    <fieldset className="flex flex-col gap-2 pt-3">
      <legend className="sr-only">{t("classes.clock.when")}</legend>
      {delays.map((minutes) => (
        <label
          key={minutes ?? "soon"}
          className="relative flex min-h-11 flex-col justify-center rounded-dock border border-line px-3.5 py-2.5 transition-colors has-checked:border-ink has-checked:bg-leaf has-focus-visible:outline-2 has-focus-visible:outline-signal-ink"
        >
          <input
            type="radio"
            name="pause"
            checked={minutes === value}
            onChange={() => choose(minutes)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          <span className="text-small">
            {minutes === null
              ? t("classes.clock.soon", { seconds: soonSeconds })
              : t("classes.clock.after", {
                  minutes,
                  time: formatTime(getAtMs(clock, minutes), { timeStyle: "short" }),
                })}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
