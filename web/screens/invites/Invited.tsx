import { useState } from "react";
import { useIntl } from "react-intl";
import type { AnswerOf } from "#api/call.ts";
import { getInviteInfo, setInviteName } from "#api/routes/invites.ts";
import { nameMax } from "#core/invites/rules.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Link } from "#ui/router.tsx";
import { Section } from "#ui/Section.tsx";
import { setInviteQuestion } from "#web/features/session/inviteQuestion.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";
import { useErrorMessage } from "#web/lib/api/useErrorMessage.ts";

type Mine = NonNullable<AnswerOf<typeof getInviteInfo>["invited"]>;

/**
 * How the person joined, what their inviter sees of them, and the question whose answer only they
 * see. Whoever joined a class is not asked.
 */
export function Invited({ invited }: { invited: Mine }) {
  const { formatDate } = useIntl();
  const t = useText();
  const date = formatDate(invited.joined_at_ms, { dateStyle: "medium" });
  const isWaitingForLesson = invited.reward === "waiting" && !invited.lesson_finished;
  return (
    <Section kind="plain" title={t("invites.mine.title")}>
      <div className="flex flex-col gap-4">
        <p>{t(`invites.mine.${invited.by}`, { date })}</p>
        {isWaitingForLesson ? (
          <div className="flex flex-col gap-2">
            <p className="text-small text-ink-soft">{t("invites.mine.rewardWaiting")}</p>
            <Link to="/help?view=lesson" className={buttonClass({ variant: "outline" })}>
              {t("invites.mine.lesson")}
            </Link>
          </div>
        ) : null}
        {invited.by === "person" ? <NameForm name={invited.name} /> : null}
        {invited.by === "class" ? null : (
          <div>
            <p className="text-small text-ink-soft">{t("invites.ask.private")}</p>
            <Button
              variant="quiet"
              size="small"
              className="-ml-3.5"
              onClick={() => setInviteQuestion(true)}
            >
              {t(invited.answer === null ? "invites.ask.answer" : "invites.ask.change")}
            </Button>
          </div>
        )}
      </div>
    </Section>
  );
}

function NameForm({ name }: { name: string | null }) {
  const t = useText();
  const errorMessage = useErrorMessage();
  const { send, isBusy, error } = useApiMutation(setInviteName);
  const [text, setText] = useState(name ?? "");
  const save = async () => {
    try {
      const { data } = await send({ name: text });
      setText(data.name ?? "");
      toast(t(data.name ? "invites.name.saved" : "invites.name.removed"));
      void invalidate(getInviteInfo);
    } catch {
      // The error is shown at the field, which keeps what was typed.
    }
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field
        label={t("invites.name.label")}
        hint={t("invites.name.hint", { maximum: nameMax })}
        error={error ? errorMessage(error) : undefined}
      >
        <TextInput value={text} onChange={setText} autoComplete="nickname" maxLength={60} />
      </Field>
      <Button type="submit" variant="outline" busy={isBusy} disabled={text.trim() === (name ?? "")}>
        {t("invites.name.save")}
      </Button>
    </form>
  );
}
