import { execFileSync } from "node:child_process";
import { mkdirSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH: from that moment the file system writes
 * nothing more, neither data nor its journal. Perl is part of every Debian; Node has no ioctl.
 */
const shutdown =
  'open my $f, "<", $ARGV[0] or die $!; my $how = pack "L", 2; ioctl $f, 0x8004587d, $how or die $!;';

/** A separate ext4 file system, in a sparse file, whose power can be cut. */
export class Disk {
  readonly #image: string;
  /** Where it is mounted. */
  readonly path: string;
  #isMounted = false;

  constructor(directory: string, megabytes: number) {
    this.#image = join(directory, "disk");
    this.path = join(directory, "mounted");
    writeFileSync(this.#image, "");
    truncateSync(this.#image, megabytes * 2 ** 20);
    execFileSync("mkfs.ext4", ["-q", this.#image]);
    mkdirSync(this.path);
    this.mount();
  }

  /** Replays the journal, as the first mount after a power cut does. */
  mount(): void {
    execFileSync("mount", ["-o", "loop", this.#image, this.path]);
    this.#isMounted = true;
  }

  /**
   * Cuts the power: what is not on the disk by now is lost with the kernel's caches. Does nothing
   * while it is not mounted.
   */
  cut(): void {
    if (!this.#isMounted) return;
    execFileSync("perl", ["-e", shutdown, this.path]);
  }

  /** Drops the caches. The last process with an open file may take a moment to exit. */
  async unmount(): Promise<void> {
    if (!this.#isMounted) return;
    for (let tries = 0; ; tries += 1) {
      try {
        execFileSync("umount", [this.path], { stdio: "pipe" });
        this.#isMounted = false;
        return;
      } catch (error) {
        if (tries > 200) throw error;
        await sleep(50);
      }
    }
  }
}
