import { useText } from "#i18n/useText.ts";
import { Button } from "#ui/Button.tsx";
import { Arrow } from "#ui/figures/Change.tsx";
import type { Direction, Ticket } from "./useTicket.ts";

const directions: readonly Direction[] = ["up", "down"];

/** Up and Down; while blocked they say why. `reasonId` names the element with that sentence. */
export function DirectionButtons({ ticket, reasonId }: { ticket: Ticket; reasonId: string }) {
  const t = useText();
  const { blocked } = ticket;
  return (
    <div className="grid min-w-0 flex-1 grid-cols-2 gap-2">
      {directions.map((direction) => (
        <Button
          key={direction}
          data-direction={direction}
          variant={direction === "up" ? "rise" : "fall"}
          block
          icon={<Arrow direction={direction === "up" ? 1 : -1} />}
          disabled={blocked !== null}
          aria-describedby={blocked === null ? undefined : reasonId}
          onClick={() => ticket.press(direction)}
          className="px-2!"
        >
          {t(`contracts.ticket.${direction}`)}
        </Button>
      ))}
    </div>
  );
}
