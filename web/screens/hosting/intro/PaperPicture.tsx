import { useText } from "#i18n/useText.ts";

const steps = ["decision", "delay", "fill"] as const;

/**
 * Decision, delay, fill: the price moves while the order is pending, so the fill differs from what
 * was seen.
 */
export function PaperPicture() {
  const t = useText();
  return (
    <figure>
      <svg
        viewBox="0 0 328 120"
        className="block w-full text-ink"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinejoin="round"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M8 100h312" className="text-line-strong" stroke="currentColor" />
        <path d="M8 84l24-6 20 5 22-9 16 4" />
        <path d="M90 78l22-8 18 6 24-22 20 4 24-12 14 6" strokeDasharray="2 4" />
        <path d="M212 52l20-6 22 8 26-10 32 6" />
        <path d="M90 30v70M212 30v70" className="text-ink-faint" stroke="currentColor" />
        <circle cx="90" cy="78" r="5" />
        <circle cx="212" cy="52" r="5" fill="currentColor" />
        <path d="M104 22h92m-7-5l7 5l-7 5" />
        <path d="M236 78v-26M232 78h8M232 52h8" className="text-fall" stroke="currentColor" />
        <path d="M96 78h134" strokeDasharray="1 4" className="text-fall" stroke="currentColor" />
      </svg>
      <figcaption>
        <ol className="flex flex-col gap-2 pt-3">
          {steps.map((step, index) => (
            <li key={step} className="flex gap-3">
              <span className="text-ink-faint">{index + 1}</span>
              <span>{t(`hosting.paper.${step}`)}</span>
            </li>
          ))}
        </ol>
      </figcaption>
    </figure>
  );
}
