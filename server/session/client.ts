/**
 * Browser and system in two or three words, from a user agent; empty if it names neither. Nothing
 * else of it is stored.
 */
export function describeClient(userAgent: string): string {
  const browser = matchName(userAgent, browsers);
  const system = matchName(userAgent, systems);
  return [browser, system].filter(Boolean).join(", ");
}

// The order matters: most browsers claim to be the ones below them.
const browsers: readonly [RegExp, string][] = [
  [/MetaMask/i, "MetaMask"],
  [/Trust(?:Wallet)?\//i, "Trust Wallet"],
  [/imToken/i, "imToken"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/EdgA?\/|EdgiOS\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/Vivaldi\//, "Vivaldi"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/HeadlessChrome\/|Chrome\/|CriOS\//, "Chrome"],
  [/Version\/[\d.]+.*Safari\//, "Safari"],
  [/^curl\//, "curl"],
  [/^node/i, "Node"],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

function matchName(text: string, names: readonly [RegExp, string][]): string | undefined {
  return names.find(([pattern]) => pattern.test(text))?.[1];
}
