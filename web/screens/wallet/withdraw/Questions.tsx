import { useState } from "react";
import { getWithdrawList } from "#api/routes/withdraw.ts";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { cx } from "#ui/cx.ts";
import { Segmented } from "#ui/form/Segmented.tsx";
import { Section } from "#ui/Section.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { browserStorage } from "#web/lib/storage.ts";

const questions = [
  {
    id: "withdraw.question.pay",
    yes: "withdraw.question.pay.yes",
    no: "withdraw.question.pay.no",
    alarm: "yes",
  },
  {
    id: "withdraw.question.rush",
    yes: "withdraw.question.rush.yes",
    no: "withdraw.question.rush.no",
    alarm: "yes",
  },
  {
    id: "withdraw.question.whose",
    yes: "withdraw.question.whose.yes",
    no: "withdraw.question.whose.no",
    alarm: "no",
  },
] as const;

type Reply = "yes" | "no";

/** Earlier answers from this browser's storage; anything unexpected is dropped. */
function readReplies(): Partial<Record<string, Reply>> {
  const storedAnswers = new Map(
    Object.entries(browserStorage.readJson("withdrawal_questions") ?? {}),
  );
  const replies = questions.flatMap(({ id }) => {
    const reply: unknown = storedAnswers.get(id);
    return reply === "yes" || reply === "no" ? [[id, reply] as const] : [];
  });
  return Object.fromEntries(replies);
}

/**
 * Three questions before the first withdrawal. They stay in this browser: the server does not know
 * them, no answer blocks anything, and they can be dismissed unanswered.
 */
export function Questions() {
  const t = useText();
  const [isDismissed, setIsDismissed] = useState(
    () => browserStorage.read("withdrawal_questions_away") === "yes",
  );
  const [replies, setReplies] = useState(readReplies);
  const page = { page: 1, page_size: 1 };
  const withdrawals = useApiQuery(getWithdrawList, page, { enabled: !isDismissed });
  // Not shown to anyone who has withdrawn before in this attempt; nor while that is unknown, so
  // that nothing shifts.
  const isFirst = withdrawals.isError || withdrawals.data?.items.length === 0;
  if (isDismissed || !isFirst) return null;
  return (
    <Section
      title={t("withdraw.questions")}
      note={t("withdraw.questions.note")}
      className="mt-0! mb-3"
    >
      {questions.map((question) => {
        const reply = replies[question.id];
        return (
          <div key={question.id} className="px-4 py-1">
            <div className="flex items-center justify-between gap-3">
              <p className="min-w-0 flex-1 text-small">{t(question.id)}</p>
              <div className="w-32 shrink-0">
                <Segmented<Reply | "">
                  label={t(question.id)}
                  value={reply ?? ""}
                  onChange={(next) => {
                    if (next === "") return;
                    const nextReplies = { ...replies, [question.id]: next };
                    setReplies(nextReplies);
                    browserStorage.write("withdrawal_questions", JSON.stringify(nextReplies));
                  }}
                  options={[
                    { value: "yes", label: t("withdraw.yes") },
                    { value: "no", label: t("withdraw.no") },
                  ]}
                />
              </div>
            </div>
            <p
              aria-live="polite"
              className={cx(
                "my-2 text-small empty:my-0",
                reply === question.alarm ? "text-warning" : "text-ink-soft",
              )}
            >
              {reply ? t(question[reply]) : null}
            </p>
          </div>
        );
      })}
      <div className="px-4">
        <Button
          variant="quiet"
          size="small"
          className="-ml-3.5"
          onClick={() => {
            browserStorage.write("withdrawal_questions_away", "yes");
            setIsDismissed(true);
          }}
        >
          {t("withdraw.questions.done")}
        </Button>
      </div>
    </Section>
  );
}
