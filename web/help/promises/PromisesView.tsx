import { useEffect } from "react";
import { useIntl } from "react-intl";
import { useLocation } from "react-router";
import { PromisePart } from "#web/help/promises/PromisePart.tsx";
import { promiseNumbers } from "#web/help/views.ts";

/** `/help?view=promises`: the ten promises, each with a check of this instance. `#promise-3` leads to the third. */
export default function PromisesView() {
  const { formatMessage } = useIntl();
  const { hash } = useLocation();
  useEffect(() => {
    const part = /^#promise-\d+$/.test(hash) ? document.querySelector<HTMLElement>(hash) : null;
    part?.scrollIntoView({ block: "start" });
    part?.focus({ preventScroll: true });
  }, [hash]);
  return (
    <>
      <p className="px-4 pt-2 pb-4 text-small text-ink-soft">
        {formatMessage({ id: "help.check.note" })}
      </p>
      <ol className="hairlines border-y border-line">
        {promiseNumbers.map((number) => (
          <PromisePart key={number} number={number} />
        ))}
      </ol>
    </>
  );
}
