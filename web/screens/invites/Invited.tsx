import { useState } from "react";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import type { AnswerOf } from "#api/call.ts";
import { getInviteInfo, setInviteName } from "#api/routes/invites.ts";
import { nameMax } from "#core/invites/rules.ts";
import { Button } from "#ui/Button.tsx";
import { buttonClass } from "#ui/buttonClass.ts";
import { Field } from "#ui/form/Field.tsx";
import { TextInput } from "#ui/form/TextInput.tsx";
import { toast } from "#ui/overlay/toast.ts";
import { Section } from "#ui/Section.tsx";
import { setInviteQuestion } from "#web/features/session/inviteQuestion.ts";
import { useSend } from "#web/lib/useApiMutation.ts";
import { refresh } from "#web/lib/useApiQuery.ts";
import { useSentence } from "#web/lib/useErrorMessage.ts";

type Mine = NonNullable<AnswerOf<typeof getInviteInfo>["invited"]>;

/** How the person joined, what their inviter sees of them, and the question that only they see the answer of. */
export function Invited({ invited }: { invited: Mine }) {
  const { formatMessage, formatDate } = useIntl();
  const date = formatDate(invited.joined_at_ms, { dateStyle: "medium" });
  const waits = invited.reward === "waiting" && !invited.lesson_finished;
  return (
    <Section kind="plain" title={formatMessage({ id: "invites.mine.title" })}>
      <div className="flex flex-col gap-4">
        <p>{formatMessage({ id: `invites.mine.${invited.by}` }, { date })}</p>
        {waits ? (
          <div className="flex flex-col gap-2">
            <p className="text-small text-ink-soft">
              {formatMessage({ id: "invites.mine.rewardWaiting" })}
            </p>
            <Link to="/help?view=lesson" className={buttonClass({ variant: "outline" })}>
              {formatMessage({ id: "invites.mine.lesson" })}
            </Link>
          </div>
        ) : null}
        {invited.by === "person" ? <NameForm name={invited.name} /> : null}
        <div>
          <p className="text-small text-ink-soft">{formatMessage({ id: "invites.ask.private" })}</p>
          <Button
            variant="quiet"
            size="small"
            className="-ml-3.5"
            onClick={() => setInviteQuestion(true)}
          >
            {formatMessage({
              id: invited.answer === null ? "invites.ask.answer" : "invites.ask.change",
            })}
          </Button>
        </div>
      </div>
    </Section>
  );
}

function NameForm({ name }: { name: string | null }) {
  const { formatMessage } = useIntl();
  const sentence = useSentence();
  const { send, busy, error } = useSend(setInviteName);
  const [typed, setTyped] = useState(name ?? "");
  const save = async () => {
    try {
      const { data } = await send({ name: typed });
      setTyped(data.name ?? "");
      toast(formatMessage({ id: data.name ? "invites.name.saved" : "invites.name.removed" }));
      void refresh(getInviteInfo);
    } catch {
      // Said under the field, where what was typed stays.
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
        label={formatMessage({ id: "invites.name.label" })}
        hint={formatMessage({ id: "invites.name.hint" }, { maximum: nameMax })}
        error={error ? sentence(error) : undefined}
      >
        <TextInput value={typed} onChange={setTyped} autoComplete="nickname" maxLength={60} />
      </Field>
      <Button type="submit" variant="outline" busy={busy} disabled={typed.trim() === (name ?? "")}>
        {formatMessage({ id: "invites.name.save" })}
      </Button>
    </form>
  );
}
