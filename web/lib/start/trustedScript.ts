interface Policy {
  createScriptURL(url: string): string;
}

interface TrustedTypes {
  createPolicy(name: string, rules: Policy): Policy;
}

/**
 * The scripts that may be started as workers: the service worker, and what the build made of our
 * own workers.
 */
const ours = /^\/(service-worker\.js|assets\/[\w-]+Worker-[\w-]+\.js)$/;

let policy: Policy | null | undefined;

/**
 * The address of a worker's script as the page's policy (`trusted-types drydock`) wants it: a path
 * of this host. A policy can be made once, so that every worker asks here. Throws a TypeError for
 * any other address. In development sources are served, under other names. Codes are read from a
 * camera's frames in a worker because one frame takes tens of milliseconds.
 */
export function trustedScript(path: string): string {
  if (policy === undefined) {
    const { trustedTypes } = window as Window & { trustedTypes?: TrustedTypes };
    policy =
      trustedTypes?.createPolicy("drydock", {
        createScriptURL: (url) => {
          if (import.meta.env.PROD && !ours.test(url)) throw new TypeError("not a script of ours");
          return url;
        },
      }) ?? null;
  }
  return policy ? policy.createScriptURL(path) : path;
}
