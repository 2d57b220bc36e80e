import { useEffect, useState } from "react";
import { whenIdle } from "#ui/whenIdle.ts";

/**
 * Whether the first picture stands: once the browser has nothing else to do, or somebody has
 * pressed something. What is loaded from then on does not compete with it.
 */
export function useFirstPicture(): boolean {
  const [stands, setStands] = useState(false);
  useEffect(() => {
    const stand = () => setStands(true);
    const presses = ["pointerdown", "keydown"];
    for (const press of presses) window.addEventListener(press, stand, { once: true });
    const callOff = whenIdle(stand);
    return () => {
      callOff();
      for (const press of presses) window.removeEventListener(press, stand);
    };
  }, []);
  return stands;
}
