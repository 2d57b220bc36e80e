import { useState } from "react";
import { answerInvite, getInviteInfo } from "#api/routes/invites.ts";
import type { InviteAnswer } from "#core/invites/rules.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { ErrorNote } from "#ui/ErrorNote.tsx";
import { Sheet } from "#ui/overlay/Sheet.tsx";
import { Link } from "#ui/router.tsx";
import { endInviteQuestion, setInviteQuestion } from "#web/features/session/inviteQuestion.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

const answers = ["yes", "no", "not_sure", "skip"] as const satisfies InviteAnswer[];

/**
 * Asks an invited person who invited them, with a reply to each answer. If closed without one it is
 * asked once more, at the next start.
 */
export default function InviteQuestionSheet({ open }: { open: boolean }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, error } = useApiMutation(answerInvite);
  const [sending, setSending] = useState<InviteAnswer | null>(null);
  const [givenAnswer, setGivenAnswer] = useState<InviteAnswer | null>(null);
  const close = () => {
    setInviteQuestion(false);
    setGivenAnswer(null);
  };
  const answer = async (choice: InviteAnswer) => {
    setSending(choice);
    try {
      await send({ answer: choice });
      endInviteQuestion();
      setGivenAnswer(choice);
      void invalidate(getInviteInfo);
    } catch {
      // The error is shown below; the answer can be given again.
    } finally {
      setSending(null);
    }
  };
  return (
    <Sheet
      open={open}
      onOpenChange={(next) => {
        if (!next) close();
      }}
      title={t("invites.ask.title")}
    >
      {givenAnswer ? (
        <div className="flex flex-col gap-4">
          <output className="block">{t(`invites.said.${givenAnswer}`)}</output>
          {givenAnswer === "skip" ? null : (
            <Link
              to="/help?view=red-flags"
              onClick={close}
              className={buttonClass({ variant: "outline", block: true })}
            >
              {t("invites.said.flags")}
            </Link>
          )}
          <Link to="/help?view=lesson" onClick={close} className={buttonClass({ block: true })}>
            {t("invites.said.lesson")}
          </Link>
          <Button block variant="quiet" onClick={close}>
            {t("invites.said.done")}
          </Button>
        </div>
      ) : (
        <div className="flex flex-col gap-3">
          <p className="text-title font-strong">{t("invites.ask.question")}</p>
          <p className="text-small text-ink-soft">{t("invites.ask.private")}</p>
          {error ? <ErrorNote>{errorMessage(error)}</ErrorNote> : null}
          {answers.map((choice) => (
            <Button
              key={choice}
              block
              variant={choice === "skip" ? "quiet" : "outline"}
              busy={sending === choice}
              disabled={sending !== null && sending !== choice}
              onClick={() => void answer(choice)}
            >
              {t(`invites.ask.${choice}`)}
            </Button>
          ))}
        </div>
      )}
    </Sheet>
  );
}
