import { IconCheck, IconChevronRight, IconX } from "@tabler/icons-react";
import { useEffect, useId } from "react";
import type { UserInfo } from "#api/session.ts";
import { useText } from "#i18n/useText.ts";
import { Progress } from "#ui/figures/Progress.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/router.tsx";
import { useSession } from "#web/features/session/useSession.ts";
import { useStepsDone } from "#web/screens/home/steps/useStepsDone.ts";
import { type StepName, stepNames, storeSteps } from "./storage.ts";

const places: Readonly<Record<Exclude<StepName, "terms">, string>> = {
  order: "/business",
  // A part: whoever withdraws everything has nothing left for the other steps.
  withdraw: "/wallet-info?coin=pUSDT&do=withdraw&amount=100",
  receipt: "/verify",
  lesson: "/help?view=lesson",
};

/** Where it goes from there: how the dishonest ones behave. */
const onward = [
  ["/help?view=red-flags", "first-steps.next.flags"],
  ["/authorized-activity", "first-steps.next.reader"],
  ["/help?view=caught", "first-steps.next.caught"],
] as const;

const look = "flex min-h-13 w-full items-center gap-3 px-4 py-1.5 text-left text-small";
const pressable = "transition-colors hover:bg-well focus-visible:-outline-offset-2";

/**
 * Five steps that show how an honest platform behaves. Each is checked off when it really happened.
 */
export default function StepsCard({ user, onAway }: { user: UserInfo; onAway: () => void }) {
  const t = useText();
  const id = useId();
  const done = useStepsDone(user);
  const count = done?.size ?? 0;
  useEffect(() => {
    if (done && done.size > 0) storeSteps(user.user_id, done);
  }, [done, user.user_id]);
  const title = t("first-steps.title");
  if (done && count === stepNames.length) {
    return (
      <section className="rounded-dock border border-line bg-leaf" aria-labelledby={id}>
        <div className="flex items-start gap-2 pl-4">
          <h2 id={id} className="flex-1 py-2.5 font-strong">
            {t("first-steps.all")}
          </h2>
          <IconButton label={t("first-steps.away")} onClick={onAway}>
            <IconX size={18} aria-hidden="true" />
          </IconButton>
        </div>
        <p className="px-4 pb-2 text-small text-ink-soft">{t("first-steps.all.text")}</p>
        <ul className="pb-1.5">
          {onward.map(([to, words]) => (
            <li key={to}>
              <Link to={to} className={`${look} ${pressable}`}>
                <span className="min-w-0 flex-1">{t(words)}</span>
                <IconChevronRight
                  size={16}
                  className="shrink-0 text-signal-ink"
                  aria-hidden="true"
                />
              </Link>
            </li>
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section className="rounded-dock border border-line bg-leaf" aria-labelledby={id}>
      <div className="flex items-center gap-2 pl-4">
        <h2 id={id} className="flex-1 font-strong">
          {title}
        </h2>
        <span className="text-small text-ink-faint">
          {t("first-steps.count", { done: count, all: stepNames.length })}
        </span>
        <IconButton label={t("first-steps.away")} onClick={onAway}>
          <IconX size={18} aria-hidden="true" />
        </IconButton>
      </div>
      <div className="px-4 pb-2">
        <Progress value={(count / stepNames.length) * 100} label={title} />
      </div>
      <ol className="pb-1.5">
        {stepNames.map((name) => (
          <li key={name}>
            <Step name={name} done={done?.has(name) ?? false} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Step({ name, done }: { name: StepName; done: boolean }) {
  const t = useText();
  const { requireTerms } = useSession();
  const words = (
    <>
      <span
        className={`grid size-5 shrink-0 place-items-center rounded-full border ${done ? "border-transparent bg-well" : "border-line-strong"}`}
      >
        {done ? <IconCheck size={14} aria-hidden="true" /> : null}
      </span>
      <span className={`min-w-0 flex-1 ${done ? "text-ink-faint" : ""}`}>
        {t(`first-steps.${name}`)}
        {done ? <span className="sr-only">, {t("first-steps.done")}</span> : null}
      </span>
    </>
  );
  if (done) return <span className={look}>{words}</span>;
  const opens = (
    <IconChevronRight size={16} className="shrink-0 text-signal-ink" aria-hidden="true" />
  );
  const pressed = `${look} ${pressable}`;
  if (name === "terms") {
    return (
      <button type="button" className={pressed} onClick={() => void requireTerms()}>
        {words}
        {opens}
      </button>
    );
  }
  return (
    <Link to={places[name]} className={pressed}>
      {words}
      {opens}
    </Link>
  );
}
