import { useState } from "react";
import { beginSitting, getSittings, saveSitting } from "#api/routes/lesson.ts";
import {
  drawSitting,
  type RandomBelow,
  type SittingAnswer,
  type SittingItem,
} from "#core/lesson/sittings.ts";
import { useSession } from "#web/features/session/useSession.ts";
import { useApiMutation } from "#web/lib/api/useApiMutation.ts";
import { invalidate } from "#web/lib/api/useApiQuery.ts";

/**
 * One sitting: the items, what they were called, and whether it is stored. The server draws the
 * items of someone signed in, so that none repeats, and receives every answer immediately; without
 * a session the browser draws, and nothing is kept.
 */
export function useSittingRun() {
  const { status } = useSession();
  const mutation = useApiMutation(beginSitting);
  const saving = useApiMutation(saveSitting);
  const [position, setPosition] = useState<"start" | number | "end">("start");
  const [items, setItems] = useState<readonly SittingItem[]>([]);
  const [sittingId, setSittingId] = useState<string | null>(null);
  const [isStored, setIsStored] = useState(false);
  const signedIn = status === "signed_in";

  const start = (id: string | null, list: readonly SittingItem[]) => {
    setSittingId(id);
    setItems(list);
    setIsStored(false);
    saving.reset();
    setPosition(list.findIndex(({ answer }) => answer === null));
  };
  const begin = async () => {
    if (!signedIn)
      return start(
        null,
        drawSitting([], randomBelow).map((item) => ({ item, answer: null })),
      );
    try {
      const { data } = await mutation.send({});
      start(data.sitting_id, data.items);
    } catch {
      // The error is shown with the button.
    }
  };
  const save = async (list: readonly SittingItem[]) => {
    if (sittingId === null) return;
    const answers = list.flatMap(({ item, answer }) => (answer ? [{ item, answer }] : []));
    try {
      const { data } = await saving.send({ sitting_id: sittingId, answers });
      if (data.result === null) return;
      setIsStored(true);
      void invalidate(getSittings);
    } catch {
      // The next answer sends this one again; after the last the error is shown at the end.
    }
  };
  const give = (answer: SittingAnswer) => {
    if (typeof position !== "number") return;
    const nextItems = items.map((item, index) => (index === position ? { ...item, answer } : item));
    setItems(nextItems);
    void save(nextItems);
  };
  return {
    at: position,
    items,
    kept: isStored,
    stored: sittingId !== null,
    signedIn,
    ready: status !== "loading",
    begin: () => void begin(),
    beginning: mutation.isBusy,
    beginError: mutation.error,
    give,
    next: () => {
      if (typeof position === "number")
        setPosition(position + 1 < items.length ? position + 1 : "end");
    },
    keep: () => void save(items),
    saving: saving.isBusy,
    saveError: saving.error,
  };
}
export type SittingRun = ReturnType<typeof useSittingRun>;

/** The draw is uniform: words past the last whole multiple are drawn again. */
const randomBelow: RandomBelow = (below) => {
  const end = 2 ** 32 - (2 ** 32 % below);
  for (;;) {
    const [word = 0] = crypto.getRandomValues(new Uint32Array(1));
    if (word < end) return word % below;
  }
};
