import { expect, test } from "vitest";
import { parseInline, parseMarkdown } from "#core/publishing/markdown.ts";

const text = (words: string) => ({ kind: "text", text: words });

test("headings, paragraphs, lists, quotes and rules are parsed", () => {
  const markdown = parseMarkdown(
    "# A\n\nfirst\nline\n\n- one\n  more\n- two\n\n1. x\n\n> said\n> so\n\n---\n### B",
  );
  expect(markdown).toEqual([
    { kind: "heading", level: 2, children: [text("A")] },
    { kind: "paragraph", children: [text("first line")] },
    { kind: "list", ordered: false, items: [[text("one more")], [text("two")]] },
    { kind: "list", ordered: true, items: [[text("x")]] },
    { kind: "quote", children: [text("said so")] },
    { kind: "rule" },
    { kind: "heading", level: 3, children: [text("B")] },
  ]);
});

test.each<[string, unknown]>([
  ["a **b** c", [text("a "), { kind: "strong", children: [text("b")] }, text(" c")]],
  ["*b*", [{ kind: "em", children: [text("b")] }]],
  ["`*b*`", [{ kind: "code", text: "*b*" }]],
  ["2 * 3 * 4", [text("2 * 3 * 4")]],
  ["\\*b\\*", [text("*b*")]],
  ["[a](/help)", [{ kind: "link", to: "/help", children: [text("a")] }]],
  ["[a](https://b.org/c)", [{ kind: "link", to: "https://b.org/c", children: [text("a")] }]],
  [
    "https://b.org.",
    [{ kind: "link", to: "https://b.org", children: [text("https://b.org")] }, text(".")],
  ],
  [
    "（https://b.org）。",
    [
      text("（"),
      { kind: "link", to: "https://b.org", children: [text("https://b.org")] },
      text("）。"),
    ],
  ],
])("inline %s is parsed", (line, expected) => {
  expect(parseInline(line)).toEqual(expected);
});

test.each([
  "[a](javascript:x)",
  "[a](//b.org)",
  "[a](http://b.org)",
  "<b>a</b>",
  "![a](/b.png)",
])("%s yields no unsafe link and no image", (line) => {
  const kinds = JSON.stringify(parseMarkdown(line));
  expect(kinds).not.toMatch(/javascript:x","children|"to":"(?:\/\/|http:|javascript)/);
  expect(kinds).not.toContain('"kind":"image"');
});

test("unmatched markup is kept as text", () => {
  const unmatchedMarkup = "** * ` [ ]( **a [b](c";
  expect(parseInline(unmatchedMarkup)).toEqual([text(unmatchedMarkup)]);
});
