import type { ReactNode } from "react";

/** Line drawings for empty states: 1.5 px strokes in the current text colour, decorative. */
function Drawing({ children }: { children: ReactNode }) {
  return (
    <svg
      viewBox="0 0 200 112"
      width="200"
      height="112"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinejoin="round"
      strokeLinecap="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** The hull, and the steps of the dock around it. */
const hull = "M58 16h84c-1 16-3 36-8 48-5 11-18 19-30 22h-8c-12-3-25-11-30-22-5-12-7-32-8-48z";
const wall = "M4 22h22v20h9v20h9v20h9v18h94V82h9V62h9V42h9V22h22";

/** A ship from astern, held between the steps of a dry dock by its shores. */
export function DockDrawing() {
  return (
    <Drawing>
      <path d={wall} />
      <path d={hull} />
      <path d="M59 26h82M80 16V5h40v11M87 10h6M97 10h6M107 10h6" />
      <path d="M100 58v28M93 66a8 8 0 1 0 14 8M107 66a8 8 0 1 0-14 8" />
      <path d="M96 86v14M104 86v14M88 93h24" />
      <path d="M35 42l26 1M35 46l26.5 1M44 62l21 1M44 66l24 1M165 42l-26 1M165 46l-26.5 1M156 62l-21 1M156 66l-24 1" />
    </Drawing>
  );
}

/** The dock without a ship, with its keel blocks. */
export function EmptyDockDrawing() {
  return (
    <Drawing>
      <path d={wall} />
      <path d="M70 92h12v8M118 92h12v8M70 92v8M118 92v8M94 92h12v8M94 92v8" />
      <path d={hull} strokeDasharray="2 5" />
    </Drawing>
  );
}

/** The same price at two venues, and the small gap between them. */
export function SpreadDrawing() {
  return (
    <Drawing>
      <path d="M16 12v84h168" />
      <path d="M26 74l14-8 12 6 16-20 14 8 16-18 14 10 18-16 16 8 22-22" />
      <path d="M26 82l14-6 12 4 16-16 14 4 16-10 14 8 18-20 16 12 22-20" strokeDasharray="1 4" />
      <circle cx="98" cy="42" r="3.5" />
      <circle cx="98" cy="58" r="3.5" />
      <path d="M98 46v8" />
    </Drawing>
  );
}

/** A machine: two fans, a board and its power supply. */
export function MachineDrawing() {
  return (
    <Drawing>
      <path d="M34 24h132v64H34zM34 40h132" />
      <circle cx="70" cy="64" r="17" />
      <circle cx="130" cy="64" r="17" />
      <circle cx="70" cy="64" r="4" />
      <circle cx="130" cy="64" r="4" />
      <path d="M70 60c-2-8 2-12 8-12M74 64c8-2 12 2 12 8M70 68c2 8-2 12-8 12M66 64c-8 2-12-2-12-8M130 60c-2-8 2-12 8-12M134 64c8-2 12 2 12 8M130 68c2 8-2 12-8 12M126 64c-8 2-12-2-12-8" />
      <path d="M44 32h22M150 32h6M44 88v8h16v-8M140 88v8h16v-8M166 56h14v40h14" />
    </Drawing>
  );
}

/** Two bollards and the line between them. */
export function MooringDrawing() {
  return (
    <Drawing>
      <path d="M8 92h184M40 92V54h24v38M36 54c0-10 32-10 32 0zM136 92V54h24v38M132 54c0-10 32-10 32 0z" />
      <path d="M66 64c20 22 48 22 68 0M66 70c20 22 48 22 68 0M38 66h28M38 71h28M134 66h28M134 71h28" />
    </Drawing>
  );
}

/** Signal flags on a halyard. */
export function FlagsDrawing() {
  return (
    <Drawing>
      <path d="M24 100V10M24 16c50 4 100 4 158 0" />
      <path d="M44 18v34h26V19.5M44 35h26M86 20v34h26V20M86 20l26 34M128 20l26 12-26 14zM166 17.5v20l14-3V16.5" />
      <path d="M12 100h24" />
    </Drawing>
  );
}

/** A card with an anonymous portrait. */
export function SpecimenDrawing() {
  return (
    <Drawing>
      <path d="M40 20h120v74H40zM40 34h120" />
      <path d="M52 44h32v38H52z" strokeDasharray="2 4" />
      <circle cx="68" cy="58" r="6" />
      <path d="M57 78c2-10 20-10 22 0M96 48h50M96 58h38M96 68h44M96 80h20M46 27h30" />
    </Drawing>
  );
}

/** A compass without a needle. */
export function CompassDrawing() {
  return (
    <Drawing>
      <circle cx="100" cy="56" r="42" />
      <circle cx="100" cy="56" r="35" strokeDasharray="1 6.33" />
      <path d="M118 32l-12.4 28.2L82 80l12.4-28.2zM105.6 60.2l-11.2-8.4" />
      <path d="M100 6v8M100 98v8M50 56h8M142 56h8" />
    </Drawing>
  );
}
