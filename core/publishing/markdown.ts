/**
 * Parses the Markdown of posts into a tree: headings (`##`, `###`), paragraphs, lists, quotes,
 * rules, `code`, **strong** and *emphasis*, links. HTML and images are not supported and stay
 * literal text. The text rule and the screen use the same tree, so what was checked is what is
 * shown.
 */
export type Inline =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em"; children: Inline[] }
  /** `to` is an https URL, or a path of this instance. */
  | { kind: "link"; to: string; children: Inline[] };

export type Block =
  | { kind: "heading"; level: 2 | 3; children: Inline[] }
  | { kind: "paragraph" | "quote"; children: Inline[] }
  | { kind: "list"; ordered: boolean; items: Inline[][] }
  | { kind: "rule" };

/**
 * Returns true if a link target is allowed: https with a host name and without credentials, or a
 * path of this instance.
 */
export function isTarget(target: string): boolean {
  return (
    /^https:\/\/[^\s/@\\?#]+(?:[/?#][^\s\\]*)?$/i.test(target) ||
    /^\/(?![/\\])[^\s\\]*$/.test(target)
  );
}

const listItem = /^\s{0,3}(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/;
const headingLine = /^(#{1,6})\s+(.*?)\s*#*$/;
const quoteLine = /^\s{0,3}>\s?(.*)$/;
const ruleLine = /^\s{0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/;

interface OpenBlock {
  kind: "paragraph" | "quote" | "item";
  lines: string[];
}

/** Parses a whole post. */
export function parseMarkdown(text: string): Block[] {
  const blocks: Block[] = [];
  // Lines of the paragraph, quote or list item being read.
  let open = null as OpenBlock | null;
  const close = () => {
    if (!open) return;
    const children = parseInline(open.lines.join(" "));
    const last = blocks.at(-1);
    if (open.kind !== "item") blocks.push({ kind: open.kind, children });
    else if (last?.kind === "list") last.items.push(children);
    open = null;
  };
  for (const line of text.replaceAll("\r\n", "\n").split("\n")) {
    const heading = headingLine.exec(line);
    const item = listItem.exec(line);
    const quote = quoteLine.exec(line);
    if (line.trim() === "") close();
    else if (ruleLine.test(line)) {
      close();
      blocks.push({ kind: "rule" });
    } else if (heading) {
      close();
      const level = heading[1]!.length > 2 ? 3 : 2;
      blocks.push({ kind: "heading", level, children: parseInline(heading[2]!) });
    } else if (item) {
      close();
      const isOrdered = item[1] !== undefined;
      const last = blocks.at(-1);
      if (last?.kind !== "list" || last.ordered !== isOrdered)
        blocks.push({ kind: "list", ordered: isOrdered, items: [] });
      open = { kind: "item", lines: [item[2]!] };
    } else if (quote) {
      if (open?.kind !== "quote") close();
      open = { kind: "quote", lines: [...(open?.lines ?? []), quote[1]!.trim()] };
    } else if (open) open.lines.push(line.trim());
    else open = { kind: "paragraph", lines: [line.trim()] };
  }
  close();
  return blocks;
}

const inlineForms =
  /\\([!-/:-@[-`{-~])|`([^`]+)`|\*\*(?!\s)(.+?)\*\*|\*(?![\s*])(.+?)\*|\[([^\]]+)\]\(([^()\s]*)\)|(https:\/\/[!-'*-;=?-~]+)/;

/** Parses inline Markdown; unclosed marks stay literal. */
export function parseInline(text: string): Inline[] {
  const nodes: Inline[] = [];
  const addText = (plainText: string) => {
    const last = nodes.at(-1);
    if (plainText === "") return;
    if (last?.kind === "text") last.text += plainText;
    else nodes.push({ kind: "text", text: plainText });
  };
  let rest = text;
  while (rest !== "") {
    const match = inlineForms.exec(rest);
    if (!match) break;
    const [matchText, escaped, code, strong, em, label, target, bareUrl] = match;
    addText(rest.slice(0, match.index));
    rest = rest.slice(match.index + matchText.length);
    if (escaped !== undefined) addText(escaped);
    else if (code !== undefined) nodes.push({ kind: "code", text: code });
    else if (strong !== undefined) nodes.push({ kind: "strong", children: parseInline(strong) });
    else if (em !== undefined) nodes.push({ kind: "em", children: parseInline(em) });
    else if (bareUrl !== undefined) {
      const to = bareUrl.replace(/[.,;:!?'*]+$/, "");
      if (isTarget(to)) nodes.push({ kind: "link", to, children: [{ kind: "text", text: to }] });
      else addText(to);
      addText(bareUrl.slice(to.length));
    } else if (isTarget(target!)) {
      nodes.push({ kind: "link", to: target!, children: [{ kind: "text", text: label! }] });
    } else addText(matchText);
  }
  addText(rest);
  return nodes;
}
