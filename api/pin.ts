import type { Call } from "#api/call.ts";

export const calls: Record<string, Call> = {};
