import { useEffect } from "react";
import { useStore } from "#ui/createStore.ts";
import { acknowledgementStore, readAcknowledgements } from "#web/lib/acknowledgements.ts";
import { AcknowledgementAlarm } from "./AcknowledgementAlarm.tsx";

/** Delay after an answer, in milliseconds: a promise about an order is due within ten seconds. */
const compareAfterMs = 15_000;
/** Delay after a return to the page, so that the screen loads first. */
const firstAfterMs = 4_000;

/**
 * Compares the promises that this browser keeps with the log, when the app is opened and after each
 * new one; the comparing code is loaded only then. Reports a broken one.
 */
export function AcknowledgementHost() {
  const { changed } = useStore(acknowledgementStore);
  useEffect(() => {
    if (!readAcknowledgements().some(({ state }) => state === "open")) return;
    const compare = async () => {
      const { compareOpenAcknowledgements } = await import("./compareAcknowledgements.ts");
      await compareOpenAcknowledgements();
    };
    // If the log cannot be read now, the next comparison reads it.
    const run = () => void compare().catch(() => undefined);
    const timer = setTimeout(run, changed === 0 ? firstAfterMs : compareAfterMs);
    return () => clearTimeout(timer);
  }, [changed]);
  const pending = readAcknowledgements().filter(
    ({ state, notified }) => state === "broken" && !notified,
  );
  return pending.length > 0 ? <AcknowledgementAlarm broken={pending} /> : null;
}
