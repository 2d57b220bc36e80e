import { getPin, removePin, setPin } from "#api/pin.ts";
import type { Pin } from "#server/pin/pin.ts";
import type { App } from "#server/platform/http/context.ts";
import { route } from "#server/platform/http/route.ts";

/** Mounts the calls of `api/pin.ts`. */
export function pinRoutes(app: App, pin: Pin): void {
  route(app, getPin, async (_input, { session }) => {
    const state = await pin.state(session);
    return {
      set: state.set,
      set_at_ms: state.setAtMs,
      locked_until_ms: state.lockedUntilMs,
      fresh_until_ms: state.freshUntilMs,
    };
  });

  route(app, setPin, async ({ pin: newPin, current_pin: current }, context) => {
    await pin.set(context.session, newPin, current);
    context.message("pin.msg.set");
    return { set: true };
  });

  route(app, removePin, async ({ current_pin: current }, context) => {
    await pin.remove(context.session, current);
    context.message("pin.msg.removed");
    return { set: false };
  });
}
