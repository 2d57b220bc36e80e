import { globSync, readFileSync } from "node:fs";
import { join, matchesGlob } from "node:path";
import { expect, test } from "vitest";

const css = readFileSync(new URL("./tokens.css", import.meta.url), "utf8");
const colours = new Map(
  [...css.matchAll(/--color-([\w-]+):\s*light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name as string, { light: light as string, dark: dark as string }],
  ),
);

function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((offset) => {
    const part = Number.parseInt(hex.slice(offset, offset + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** WCAG 2.2 contrast ratio. */
function contrast(item: string, other: string): number {
  const [high, low] = [luminance(item), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

const grounds = ["paper", "leaf", "well"];
const texts = ["ink", "ink-soft", "ink-faint", "signal-ink", "tide", "flare", "warning"];
const pairs: [text: string, ground: string, least: number][] = [
  ...texts.flatMap((text) =>
    grounds.map((ground) => [text, ground, 4.5] as [string, string, number]),
  ),
  ["on-signal", "signal", 4.5],
  ["on-signal", "signal-down", 4.5],
  ["signal-ink", "signal-wash", 4.5],
  ["on-result", "tide", 4.5],
  ["on-result", "flare", 4.5],
  ["tide", "tide-wash", 4.5],
  ["flare", "flare-wash", 4.5],
  ["warning", "warning-wash", 4.5],
  ["paper", "ink", 4.5],
  // Borders that identify a control.
  ["line-strong", "paper", 3],
  ["line-strong", "leaf", 3],
];

test("every colour token is parsed", () => {
  expect(colours.size).toBeGreaterThanOrEqual(20);
});

test.each(
  pairs,
)("%s on %s has a contrast of at least %d in both themes", (text, ground, minimum) => {
  for (const theme of ["light", "dark"] as const) {
    const ratio = contrast(colours.get(text)![theme], colours.get(ground)![theme]);
    expect(ratio, `${theme}: ${ratio.toFixed(2)}`).toBeGreaterThanOrEqual(minimum);
  }
});

/** Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB. */
const deficiencies: Record<string, number[]> = {
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
};

function simulateVision(hex: string, matrix: number[]): number[] {
  const rgb = [1, 3, 5].map(
    (offset) => (Number.parseInt(hex.slice(offset, offset + 2), 16) / 255) ** 2.2,
  );
  return [0, 3, 6].map(
    (row) =>
      Math.max(
        0,
        rgb.reduce((sum, part, index) => sum + part * (matrix[row + index] ?? 0), 0),
      ) **
      (1 / 2.2),
  );
}

test.each(
  Object.entries(deficiencies),
)("rise and fall stay distinguishable with %s", (_, matrix) => {
  for (const theme of ["light", "dark"] as const) {
    const [first, second] = ["tide", "flare"].map((name) =>
      simulateVision(colours.get(name)![theme], matrix),
    ) as [number[], number[]];
    const distance = Math.hypot(...first.map((part, index) => part - (second[index] ?? 0)));
    expect(distance, theme).toBeGreaterThan(0.12);
  }
});

test("the style sheet scans every file that renders", () => {
  const folder = import.meta.dirname;
  const globs = [...css.matchAll(/@source "(.+)";/g)].map((match) => join(folder, match[1]!));
  const files = globSync(["ui/**/*.tsx", "web/**/*.tsx"], { cwd: join(folder, "..") });
  expect(files.length).toBeGreaterThan(200);
  const unread = files.filter(
    (file) => !globs.some((glob) => matchesGlob(join(folder, "..", file), glob)),
  );
  expect(unread).toEqual([]);
});

test("no element uses a utility that the style sheet excludes", () => {
  const words = /@source not inline\("\{(.+)\}"\)/.exec(css)?.[1]?.split(",") ?? [];
  expect(words.length).toBeGreaterThan(0);
  const root = join(import.meta.dirname, "..");
  const usedClasses = globSync("{ui,web,operator}/**/*.tsx", { cwd: root }).flatMap((file) =>
    [...readFileSync(join(root, file), "utf8").matchAll(/className="([^"]*)"/g)]
      .flatMap(([, classes = ""]) => classes.split(/\s+/))
      .filter((name) => words.includes(name))
      .map((name) => `${file}: ${name}`),
  );
  expect(usedClasses).toEqual([]);
});
