/**
 * Caches the app shell for an offline start. Pages are network-first with the cached shell as
 * fallback. Hashed assets are cache-first, as they never change. Nothing else (/api, /log, /ws) is
 * ever intercepted, so no figure shown comes from a cache.
 */
declare const self: ServiceWorkerGlobalScope;

const shell = "drydock-shell-1";
const assets = "drydock-assets-1";
const assetsMax = 150;

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(shell)
      .then((cache) => cache.add(new Request("/home", { cache: "reload" })))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) =>
        Promise.all(
          names
            .filter((name) => name !== shell && name !== assets)
            .map((name) => caches.delete(name)),
        ),
      )
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", (event) => {
  const keep = (event.data as { keep?: unknown } | null)?.keep;
  if (!Array.isArray(keep)) return;
  event.waitUntil(
    caches.open(assets).then(async (cache) => {
      for (const url of keep) {
        if (isAsset(new URL(String(url))) && !(await cache.match(url))) await cache.add(url);
      }
      await trim(cache);
    }),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (isAsset(url)) event.respondWith(readFromCache(request));
  else if (
    request.mode === "navigate" &&
    !/^\/(api|log|ws|operator|archive)(\/|$)/.test(url.pathname)
  ) {
    event.respondWith(readFromNetwork(request));
  }
});

function isAsset(url: URL): boolean {
  return url.origin === location.origin && url.pathname.startsWith("/assets/");
}

async function readFromCache(request: Request): Promise<Response> {
  const cache = await caches.open(assets);
  const cached = await cache.match(request);
  if (cached) return cached;
  const answer = await fetch(request);
  if (answer.ok) await cache.put(request, answer.clone());
  return answer;
}

async function readFromNetwork(request: Request): Promise<Response> {
  const cache = await caches.open(shell);
  try {
    const answer = await fetch(request);
    if (answer.ok && answer.headers.get("content-type")?.startsWith("text/html")) {
      await cache.put("/home", answer.clone());
    }
    return answer;
  } catch (error) {
    const cached = await cache.match("/home");
    if (cached) return cached;
    throw error;
  }
}

/** Evicts the oldest entries, so that assets of old releases do not pile up. */
async function trim(cache: Cache): Promise<void> {
  const keys = await cache.keys();
  for (const key of keys.slice(0, Math.max(0, keys.length - assetsMax))) await cache.delete(key);
}
