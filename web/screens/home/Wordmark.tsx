/** The name with its mark: a hull between the walls of a dock. */
export function Wordmark() {
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg
        viewBox="0 0 32 26"
        className="h-6 w-7.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinejoin="round"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <path d="M2 5v18h28V5" />
        <path d="M9 5h14c0 7-2 11-7 12.5C11 16 9 12 9 5zM16 17.5V23M2.5 9.5 9 10.5M29.5 9.5 23 10.5" />
      </svg>
      Drydock
    </span>
  );
}
