import { useState } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Row } from "#ui/Row.tsx";
import { Section } from "#ui/Section.tsx";
import { BackupStep } from "#web/features/session/BackupStep.tsx";
import { getUnsavedSeed, readStoredSeed } from "#web/features/session/practice/keyStorage.ts";
import { type ClassCodeResult, joinSignedIn, joinSignedOut } from "#web/screens/classes/joining.ts";
import { useAction } from "#web/screens/classes/useAction.ts";

interface Props {
  classCode: ClassCodeResult;
  isSignedIn: boolean;
  onDone: () => void;
  onOther: () => void;
}

/** States to a pupil what the teacher will see, before anything happens; then joins. */
export function JoinView({ classCode, isSignedIn, onDone, onOther }: Props) {
  const t = useText();
  const { formatDate } = useIntl();
  const { isBusy, failure, run } = useAction();
  const join = (work: () => Promise<void>) =>
    void run(async () => {
      await work();
      toast(t("class-room.join.done"));
      onDone();
    });
  const time = formatDate(classCode.expires_at_ms, { dateStyle: "medium", timeStyle: "short" });
  return (
    <>
      <Section title={t("class-room.join.title")} kind="plain">
        <div className="flex flex-col gap-2">
          <p>{t("class-room.join.sees", { number: classCode.number })}</p>
          <p>{t("class-room.join.debrief")}</p>
          <p>{t("class-room.join.records")}</p>
          <p>{t("class-room.join.ends", { time })}</p>
        </div>
      </Section>
      <Section title={t("class-room.tasks")}>
        {classCode.tasks.map((task) => (
          <Row key={task} label={t(`class-room.task.${task}`)} hint={t(`class-room.how.${task}`)} />
        ))}
      </Section>
      <div className="flex flex-col gap-3 px-4 pt-6">
        {failure ? <ErrorNote>{failure}</ErrorNote> : null}
        {isSignedIn ? (
          <>
            <p className="text-small text-ink-soft">{t("class-room.join.account")}</p>
            <Button block busy={isBusy} onClick={() => join(() => joinSignedIn(classCode.code))}>
              {t("class-room.join.do")}
            </Button>
          </>
        ) : (
          <SignedOut
            busy={isBusy}
            onJoin={(seed) => join(() => joinSignedOut(classCode.code, seed))}
          />
        )}
        <Button block variant="quiet" disabled={isBusy} onClick={onOther}>
          {t("class-room.code.other")}
        </Button>
      </div>
    </>
  );
}

/**
 * Asks whether the wallet in this browser is this pupil's: school browsers are shared. A new one
 * replaces it only after its backup was offered.
 */
function SignedOut({ busy, onJoin }: { busy: boolean; onJoin: (seed: Uint8Array | null) => void }) {
  const t = useText();
  const [isReplacing, setIsReplacing] = useState(false);
  const seed = readStoredSeed();
  if (!seed) {
    return (
      <Button block busy={busy} onClick={() => onJoin(null)}>
        {t("class-room.join.do")}
      </Button>
    );
  }
  const unsavedSeed = getUnsavedSeed();
  if (isReplacing && unsavedSeed) {
    return (
      <>
        <p className="font-strong">{t("class-room.join.save")}</p>
        <BackupStep
          seed={unsavedSeed}
          later={t("class-room.join.replace")}
          onDone={() => onJoin(null)}
        />
      </>
    );
  }
  return (
    <>
      <p className="font-strong">{t("class-room.join.own")}</p>
      <Button block busy={busy} onClick={() => onJoin(seed)}>
        {t("class-room.join.use")}
      </Button>
      <Button
        block
        variant="outline"
        disabled={busy}
        onClick={() => (unsavedSeed ? setIsReplacing(true) : onJoin(null))}
      >
        {t("class-room.join.new")}
      </Button>
    </>
  );
}
