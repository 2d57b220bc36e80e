/** A spinning arc; decorative: the button around it carries `aria-busy`. */
export function Spinner() {
  return (
    <svg
      viewBox="0 0 20 20"
      className="size-5 animate-[turn_900ms_linear_infinite]"
      aria-hidden="true"
    >
      <circle
        cx="10"
        cy="10"
        r="7.5"
        fill="none"
        stroke="currentColor"
        strokeOpacity="0.25"
        strokeWidth="2"
      />
      <path
        d="M10 2.5a7.5 7.5 0 0 1 7.5 7.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
      />
    </svg>
  );
}
