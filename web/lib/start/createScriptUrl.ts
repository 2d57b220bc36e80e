interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

/**
 * The scripts allowed to start as workers: the service worker, and the build's output of our own
 * workers.
 */
const ours = /^\/(service-worker\.js|assets\/[\w-]+Worker-[\w-]+\.js)$/;

let policy: Policy | null | undefined;

/**
 * A worker script's address in the type the page's policy requires (`trusted-types drydock`): a
 * path on this host. A policy can be created only once, so every worker comes through here. Throws
 * a TypeError for any other address. In development, sources are served under other names. QR codes
 * are read from camera frames in a worker because one frame takes tens of milliseconds.
 */
export function createScriptUrl(path: string): string {
  if (policy === undefined) {
    const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
    policy =
      trustedTypes?.createPolicy("drydock", {
        createScriptURL: (url) => {
          if (import.meta.env.PROD && !ours.test(url)) throw new TypeError("unknown worker script");
          return url;
        },
      }) ?? null;
  }
  return policy ? policy.createScriptURL(path) : path;
}
