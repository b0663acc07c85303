import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** What makes each file system that the local driver offers, shells that complete our commands, and the Debian package that has each. */
const TOOLS = {
  "mkfs.ext4": "e2fsprogs",
  "mkfs.xfs": "xfsprogs",
  "mkfs.btrfs": "btrfs-progs",
  zsh: "zsh",
  fish: "fish",
} as const;

/** The set-up of the tests of real file systems and shells: what is missing is installed, or said. */
export function setup(): void {
  const missing = Object.entries(TOOLS).flatMap(([tool, name]) => (isInstalled(tool) ? [] : [name]));
  if (missing.length === 0) return;
  if (process.getuid?.() !== 0) throw new Error(`these tests need root, and ${missing.join(", ")} installed`);
  console.error(`installing ${missing.join(" ")} …`);
  const apt = (...words: string[]) =>
    execFileSync("apt-get", words, {
      stdio: ["ignore", "ignore", "inherit"],
      env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
    });
  apt("update", "-qq");
  apt("install", "-qq", "--yes", "--no-install-recommends", ...missing);
}

function isInstalled(tool: string): boolean {
  return ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].some((folder) => existsSync(join(folder, tool)));
}
