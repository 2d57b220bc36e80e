import { useEffect, useEffectEvent } from "react";
import type { StreamMessage } from "#api/stream.ts";
import { createEmitter, useStorePart } from "#ui/createStore.ts";
import { computeBackOffMs } from "#web/lib/backOff.ts";
import { createRecentPrices, getPoints, type PricePoint } from "#web/lib/recentPrices.ts";
import { advanceWorldClock } from "#web/lib/worldClock.ts";

type Topic = StreamMessage["topic"];
export type MessageOf<T extends Topic> = Extract<StreamMessage, { topic: T }>;
type StreamState = "off" | "connecting" | "open" | "waiting";

const prices = createRecentPrices();
const handlers = new Map<Topic, Set<(message: never) => void>>();
const gap = createEmitter();
const klineSubscriptions = new Map<string, number>();
const runSubscriptions = new Map<string, number>();

let address: string | null = null;
let socket: WebSocket | null = null;
let state: StreamState = "off";
let failures = 0;
let wasOpen = false;
let timer: number | undefined;

/** Opens the stream at `url` and keeps it open. Called once the configuration has loaded. */
export function startStream(url: string): void {
  if (address === url) return;
  const first = address === null;
  address = url;
  if (first) {
    window.addEventListener("online", connectSoon);
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") connectSoon();
    });
  }
  restartStream();
}

/**
 * Closes and reopens the stream when the session has changed: the new socket carries the new
 * cookie.
 */
export function restartStream(): void {
  if (address === null) return;
  const oldSocket = socket;
  socket = null;
  oldSocket?.close(1000);
  failures = 0;
  connect();
}

function connectSoon(): void {
  if (state !== "waiting") return;
  failures = 0;
  connect();
}

function connect(): void {
  window.clearTimeout(timer);
  if (address === null) return;
  state = "connecting";
  let current: WebSocket;
  try {
    current = new WebSocket(address);
  } catch {
    waitAndRetry();
    return;
  }
  socket = current;
  current.onopen = () => {
    failures = 0;
    state = "open";
    subscribe();
    // Messages pushed in between are lost, so caches must refetch.
    if (wasOpen) gap.emit();
    wasOpen = true;
  };
  current.onmessage = (event) => receive(String(event.data));
  current.onclose = () => {
    if (socket !== current) return;
    socket = null;
    waitAndRetry();
  };
}

function waitAndRetry(): void {
  state = "waiting";
  timer = window.setTimeout(connect, computeBackOffMs(failures++, Math.random()));
}

function subscribe(): void {
  if (socket?.readyState === WebSocket.OPEN) {
    const klines = [...klineSubscriptions.keys()].slice(0, 20);
    const runs = [...runSubscriptions.keys()].slice(0, 5);
    socket.send(JSON.stringify({ op: "hello", klines, runs }));
  }
}

function receive(text: string): void {
  let message: StreamMessage;
  try {
    message = JSON.parse(text) as StreamMessage;
  } catch {
    return;
  }
  if (message.topic === "prices") {
    advanceWorldClock(message.second_ms);
    prices.take(message);
  }
  for (const handler of handlers.get(message.topic) ?? []) handler(message as never);
}

/**
 * Calls `handler` for every message of `topic` until the returned function is called. For code
 * outside components.
 */
export function onStream<T extends Topic>(
  topic: T,
  handler: (message: MessageOf<T>) => void,
): () => void {
  const set = handlers.get(topic) ?? new Set();
  handlers.set(topic, set);
  set.add(handler as (message: never) => void);
  return () => set.delete(handler as (message: never) => void);
}

/** Subscribes to the stream reopening after a gap. */
export const onStreamGap = gap.subscribe;

/** Calls `handler` for every message of `topic` while the component is mounted. */
export function useStreamEvent<T extends Topic>(
  topic: T,
  handler: (message: MessageOf<T>) => void,
): void {
  const latest = useEffectEvent(handler);
  useEffect(() => onStream(topic, (message) => latest(message)), [topic]);
}

/** The seconds of `symbol` this page has seen, oldest first. */
export function useRecentPrices(symbol: string): readonly PricePoint[] {
  return useStorePart(prices, (state) => getPoints(state, symbol));
}

/** The latest pushed price of `symbol`; null before the first one. Its `price` is null in a gap. */
export function usePrice(symbol: string): PricePoint | null {
  return useStorePart(prices, (state) => getPoints(state, symbol).at(-1) ?? null);
}

/** The whole latest price message; null before the first one. */
export function usePrices(): MessageOf<"prices"> | null {
  return useStorePart(prices, ({ last }) => last);
}

/**
 * Subscribes to the open 1m kline of a contract, pushed each second, while the component is on
 * screen; null for none.
 */
export function useKlineWatch(contractId: string | null): void {
  useSubscription(klineSubscriptions, contractId);
}

/**
 * Subscribes to what a hosting pool's strategy sees, about once a second, while the component is on
 * screen; null for none.
 */
export function useRunWatch(productId: string | null): void {
  useSubscription(runSubscriptions, productId);
}

function useSubscription(subscriptions: Map<string, number>, id: string | null): void {
  useEffect(() => {
    if (id === null) return;
    subscriptions.set(id, (subscriptions.get(id) ?? 0) + 1);
    subscribe();
    return () => {
      const remaining = (subscriptions.get(id) ?? 1) - 1;
      if (remaining === 0) subscriptions.delete(id);
      else subscriptions.set(id, remaining);
      subscribe();
    };
  }, [subscriptions, id]);
}
