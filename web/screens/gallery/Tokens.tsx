import { Section } from "#ui/Section.tsx";

const grounds = ["paper", "leaf", "well", "line", "line-strong"];
const inks = ["ink", "ink-soft", "ink-faint", "signal-ink", "rise", "fall", "warning"];
const fills = ["signal", "signal-wash", "rise-wash", "fall-wash", "warning-wash"];

function Swatch({ name }: { name: string }) {
  return (
    <li className="flex items-center gap-3 px-4 py-1.5 text-small">
      <span
        className="size-8 rounded-dock border border-line"
        style={{ background: `var(--color-${name})` }}
      />
      {name}
    </li>
  );
}

export function Tokens() {
  return (
    <>
      <Section title="Colour" kind="plain">
        <ul className="-mx-4 grid grid-cols-2">
          {[...grounds, ...inks, ...fills].map((name) => (
            <Swatch key={name} name={name} />
          ))}
        </ul>
      </Section>
      <Section title="Type" kind="plain">
        <p className="text-figure font-strong tracking-tight">Figure 32 · 10 000.00</p>
        <p className="text-title font-strong tracking-tight">Title 20 · 1234567890</p>
        <p>Body 16 · The dock is dry.</p>
        <p className="text-small text-ink-soft">Small 14 · Nothing can sink.</p>
        <p className="text-caption text-ink-faint">Caption 12 · Everything visible.</p>
      </Section>
    </>
  );
}
