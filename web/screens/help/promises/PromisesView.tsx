import { useEffect } from "react";
import { useText } from "#i18n/useText.ts";
import { useLocation } from "#ui/router.tsx";
import { CheckAll } from "#web/screens/help/promises/CheckAll.tsx";
import { PromiseSection } from "#web/screens/help/promises/PromiseSection.tsx";
import { useChecks } from "#web/screens/help/promises/useChecks.ts";
import { promiseNumbers } from "#web/screens/help/views.ts";

/**
 * `/help?view=promises`: the ten promises, each with a check of this instance. `#promise-3` links
 * to the third.
 */
export default function PromisesView() {
  const t = useText();
  const { hash } = useLocation();
  const checks = useChecks();
  useEffect(() => {
    if (!/^#promise-\d+$/.test(hash)) return;
    // Runs after `ScrollRestoration`, which scrolls to the top.
    const timer = window.setTimeout(() => {
      const part = document.querySelector<HTMLElement>(hash);
      part?.scrollIntoView({ block: "start" });
      part?.focus({ preventScroll: true });
    });
    return () => window.clearTimeout(timer);
  }, [hash]);
  return (
    <>
      <p className="px-4 pt-2 pb-4 text-small text-ink-soft">{t("help.check.note")}</p>
      <CheckAll checks={checks} />
      <ol className="hairlines border-y border-line">
        {promiseNumbers.map((number) => (
          <PromiseSection
            key={number}
            number={number}
            state={checks.stateOf(number)}
            isReady={checks.isReady}
            onCheck={() => void checks.run(number)}
          />
        ))}
      </ol>
    </>
  );
}
