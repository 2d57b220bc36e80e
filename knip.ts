import type { KnipConfig } from "knip";
import { commands } from "./tools/commands.ts";

/** Program entry points, besides the scripts of package.json, tests and tool configurations. */
const config: KnipConfig = {
  entry: [
    "{web,operator}/app/main.tsx",
    "server/app/feedMain.ts",
    "server/backtest/worker.ts",
    "server/hosting/history-test/worker.ts",
    "server/market/live/liveMain.ts",
    "server/platform/images/decoderProcess.ts",
    "server/app/feedMain.ts",
    "server/testing/{confined,postgres,program}.ts",
    ...commands.map(({ file }) => `tools/${file}`),
    "tools/backup/rotateLogKey.ts",
    "tools/bench/lib/fanout{Clients,Server}.ts",
    "build/signatures.ts",
    "vite.operator.config.ts",
    "tools/dev/server.ts",
    "tools/fleet/wrongClock.ts",
    "verify/mining/leases.ts",
    // Generated: every call is there, whether or not a screen uses it.
    "api/routes/**/*.ts",
  ],
  project: [
    "{api,build,core,e2e,i18n,operator,seed,server,tools,ui,verify,web}/**/*.{css,ts,tsx}",
    "*.ts",
  ],
  ignoreBinaries: ["ip", "openssl", "pgbench", "mkfs.ext4", "mount", "perl", "umount"],
  // The font is named in ui/fonts.css; ethers is imported by the program in docs/api.md, which a
  // test runs.
  ignoreDependencies: ["@fontsource-variable/ibm-plex-sans", "ethers"],
  exclude: ["duplicates"],
};

export default config;
