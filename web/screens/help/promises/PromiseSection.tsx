import { IconAlertTriangle, IconCheck, IconInfoCircle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useIntl } from "react-intl";
import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Link } from "#ui/router.tsx";
import type { CheckState } from "#web/screens/help/promises/useChecks.ts";
import type { PromiseNumber } from "#web/screens/help/views.ts";

/*
 * The checks run in the reader's browser: a server vouching for itself proves nothing. None runs
 * automatically, since one requests a nonce and is refused on purpose.
 */

/** Links to where a promise can be seen or tried: path and message id. */
const links: Partial<Record<PromiseNumber, readonly (readonly [to: string, words: string])[]>> = {
  2: [["/authorized-activity", "help.try.agreed"]],
  3: [["/wallet-info?coin=pUSDT&do=withdraw&amount=all", "help.try.withdraw"]],
  4: [["/ai", "help.try.pools"]],
  5: [["/verify?part=price", "help.try.price"]],
  6: [["/verify?part=log", "help.try.log"]],
  7: [["/home", "help.try.home"]],
  8: [
    ["/wallet-record?group=console", "help.try.acts"],
    ["/help?view=powers", "help.view.powers"],
  ],
  9: [["/ucenter", "help.try.export"]],
  10: [["/share", "help.try.share"]],
};

const renderStrong = (words: ReactNode[]) => (
  <strong key="b" className="font-strong text-ink">
    {words}
  </strong>
);

/** One promise: its text, its check and the check's result. */
export function PromiseSection({
  number,
  state,
  isReady,
  onCheck,
}: {
  number: PromiseNumber;
  state: CheckState;
  /** False while a check cannot run yet. */
  isReady: boolean;
  onCheck: () => void;
}) {
  const t = useText();
  return (
    <li
      id={`promise-${number}`}
      tabIndex={-1}
      className="flex scroll-mt-20 gap-3 px-4 py-4 outline-none focus:bg-leaf"
    >
      <span aria-hidden="true" className="w-5 shrink-0 text-right text-ink-faint">
        {number}
      </span>
      <div className="min-w-0 flex-1">
        <p className="text-ink-soft">{t(`help.promise.${number}`, { b: renderStrong })}</p>
        <p className="mt-2 text-small text-ink-faint">{t(`help.check.${number}.what`)}</p>
        <div aria-live="polite">
          <CheckOutcome state={state} />
        </div>
        <div className="mt-2 flex flex-wrap items-center gap-x-4">
          <Button
            variant="outline"
            size="small"
            busy={state.at === "checking" || !isReady}
            onClick={onCheck}
          >
            {t(
              state.at === "unchecked" || state.at === "checking"
                ? "help.check.do"
                : "help.check.again",
            )}
            <span className="sr-only"> {number}</span>
          </Button>
          {(links[number] ?? []).map(([to, words]) => (
            <Link
              key={to}
              to={to}
              className="inline-flex min-h-11 items-center text-small font-strong text-signal-ink hover:underline"
            >
              {t(words)}
            </Link>
          ))}
        </div>
      </div>
    </li>
  );
}

const stateLooks = {
  holds: { Icon: IconCheck, colour: "text-tide" },
  fails: { Icon: IconAlertTriangle, colour: "text-flare" },
  // A promise that rests only on the operator's word must not look like a witnessed one.
  unwitnessed: { Icon: IconInfoCircle, colour: "text-warning" },
  nothing: { Icon: IconInfoCircle, colour: "text-warning" },
} as const;

function CheckOutcome({ state }: { state: CheckState }) {
  const { formatTime } = useIntl();
  const t = useText();
  if (state.at === "failed") {
    return (
      <p className="mt-3 border-l-2 border-flare pl-3 text-small">
        {t("help.check.failed", { reason: state.text })}
      </p>
    );
  }
  if (state.at !== "checked") return null;
  const { outcome, messages } = state.result;
  const { Icon, colour } = stateLooks[outcome];
  return (
    <div className="mt-3 rounded-dock border border-line bg-leaf p-3 text-small">
      <p className={`flex items-center gap-1.5 font-strong ${colour}`}>
        <Icon size={18} aria-hidden="true" className="shrink-0" />
        {t(`help.check.${outcome}`, { time: formatTime(state.atMs, { timeStyle: "medium" }) })}
      </p>
      {messages.map(({ id, values }) => (
        <p key={id} className="mt-1 break-words">
          {t(`help.check.${id}`, values)}
        </p>
      ))}
    </div>
  );
}
