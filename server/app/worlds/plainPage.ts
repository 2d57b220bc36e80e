import { createHash } from "node:crypto";
import type { Locale } from "#core/locales.ts";
import { localeTags } from "#i18n/locales.ts";

const style = `:root{color-scheme:light dark;font:1rem/1.5 system-ui,sans-serif}
body{margin:0;padding:1.5rem;display:grid;justify-content:center;background:Canvas;color:CanvasText}
main{width:min(26rem,100vw - 3rem);padding-top:10vh}
h1{font-size:1.5rem;line-height:1.25;text-wrap:balance;word-break:auto-phrase}
label{display:block;font-weight:600}
input,button,a.go{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;border-radius:.5rem}
input{padding:0 .75rem;border:1px solid GrayText;background:Field;color:FieldText;text-transform:uppercase}
button,a.go{display:grid;place-content:center;margin-top:.75rem;border:0;font-weight:600;text-decoration:none;background:#0b5c74;color:#fff}
pre{white-space:pre-wrap;overflow-wrap:anywhere}
li,dd{overflow-wrap:anywhere}
dt,summary{font-weight:600}
dd{margin:0 0 1rem}
ul{padding-left:1.25rem}
p.error{color:light-dark(#a3160c,#ff9a90)}
a:focus-visible,input:focus-visible,button:focus-visible{outline:3px solid Highlight;outline-offset:2px}`;

/** A dedicated policy: the page loads nothing, runs no script and posts its one field to itself. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ");

/** The response headers of a plain page. */
export const plainPageHeaders = {
  "content-security-policy": policy,
  "content-type": "text/html; charset=utf-8",
  "cache-control": "no-store",
  vary: "accept-language",
} as const;

/** A page without the web app; `title` and `body` are HTML. */
export function renderPlainPage({
  language,
  title,
  body,
}: {
  language: Locale;
  title: string;
  body: string;
}): string {
  return `<!doctype html>
<html lang="${localeTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · Drydock</title>
<style>${style}</style>
</head>
<body><main>${body}</main></body>
</html>
`;
}

/** Escapes text for HTML. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
  };
  return text.replaceAll(/[&<>"]/g, (letter) => entities[letter]!);
}
