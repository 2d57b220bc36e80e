import { IconCheck, IconChevronRight, IconX } from "@tabler/icons-react";
import { useEffect, useId } from "react";
import { getContractList } from "#api/routes/contracts.ts";
import type { UserInfo } from "#api/session.ts";
import { useText } from "#i18n/useText.ts";
import { Progress } from "#ui/figures/Progress.tsx";
import { IconButton } from "#ui/IconButton.tsx";
import { Link } from "#ui/router.tsx";
import { useApiQuery } from "#web/lib/api/useApiQuery.ts";
import { useStepsDone } from "#web/screens/home/steps/useStepsDone.ts";
import { type StepName, stepNames, storeSteps } from "./storage.ts";

/** Where each step happens; the first two on the contract that is listed first. */
function usePlaces(): Readonly<Record<StepName, string>> {
  const list = useApiQuery(getContractList, { type: "all" });
  const first = list.data?.items[0]?.contract_id;
  return {
    order: first ? `/business?contract_id=${first}` : "/business",
    thousand: first ? `/business?contract_id=${first}&do=thousand` : "/business",
    withdraw: "/wallet-info?coin=pUSDT&do=withdraw&amount=all",
    // The promise of gains every day, which the pools here do not make.
    fraud: "/help?view=thief&scene=gain",
    receipt: "/verify",
  };
}

/** The links after the last step: how dishonest pools behave. */
const onward = [
  ["/help?view=lesson", "first-steps.lesson"],
  ["/help?view=red-flags", "first-steps.next.flags"],
  ["/authorized-activity", "first-steps.next.reader"],
  ["/help?view=caught", "first-steps.next.caught"],
] as const;

const rowClass = "flex min-h-13 w-full items-center gap-3 px-4 py-1.5 text-left text-small";
const pressable = "transition-colors hover:bg-well focus-visible:-outline-offset-2";

/**
 * Five steps of ten minutes: an honest platform, what its offers come to, and a fraud that promises
 * more. Each is checked off when it really happened, in any order.
 */
export default function StepsCard({ user, onAway }: { user: UserInfo; onAway: () => void }) {
  const t = useText();
  const id = useId();
  const places = usePlaces();
  const steps = useStepsDone(user);
  const doneSteps = steps?.done;
  const count = doneSteps?.size ?? 0;
  useEffect(() => {
    if (doneSteps && doneSteps.size > 0) storeSteps(user.user_id, doneSteps);
  }, [doneSteps, user.user_id]);
  const title = t("first-steps.title");
  if (doneSteps && count === stepNames.length) {
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
              <Link to={to} className={`${rowClass} ${pressable}`}>
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
            <Step
              name={name}
              to={places[name]}
              done={doneSteps?.has(name) ?? false}
              isPaying={name === "withdraw" && steps?.isPaying === true}
            />
          </li>
        ))}
      </ol>
    </section>
  );
}

interface StepProps {
  name: StepName;
  to: string;
  done: boolean;
  isPaying: boolean;
}

function Step({ name, to, done, isPaying: paying }: StepProps) {
  const t = useText();
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
        {paying ? (
          <span className="block text-caption text-ink-faint">{t("first-steps.paying")}</span>
        ) : null}
      </span>
    </>
  );
  if (done) return <span className={rowClass}>{words}</span>;
  return (
    <Link to={to} className={`${rowClass} ${pressable}`}>
      {words}
      <IconChevronRight size={16} className="shrink-0 text-signal-ink" aria-hidden="true" />
    </Link>
  );
}
