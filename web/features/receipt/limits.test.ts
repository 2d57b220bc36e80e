import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { IntlProvider } from "react-intl";
import { expect, test } from "vitest";
import messages from "#i18n/receipt/en.json" with { type: "json" };
import { Limits } from "#web/features/receipt/Limits.tsx";

test("a check shows a collapsed list of what no receipt can prove", () => {
  const nothing = { detail: null, day: null, proven: null, evidence: null, log: null };
  const limits = createElement(Limits, { result: { ok: true, steps: [], ...nothing } });
  const page = renderToStaticMarkup(
    createElement(IntlProvider, { locale: "en", messages }, limits),
  );
  const foldedList = /<details(?! open)[^>]*>(.*)<\/details>/.exec(page)?.[1];
  for (const name of ["refused", "accounts", "clock"] as const)
    expect(foldedList).toContain(messages[`receipt.limits.always.${name}`]);
});
