import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { removeUnusedStamps } from "../build/binary-cache.ts";
import { LabError } from "../errors.ts";
import { listFolder, temporaryName } from "../files.ts";
import { findCommand } from "../node/commands.ts";
import { runCommand } from "../process/command.ts";
import { withLock } from "../process/lock.ts";
import { type Progress, timed } from "../progress.ts";

/** The services as Python modules; those of the machine that are there already are used where they are. */
const WITH_DEPENDENCIES = ["python3-cinder", "python3-keystone", "python3-manila"];
/** For their `api-paste.ini`. They would have databases and accounts made when they are installed, and need neither. */
const ALONE = ["cinder-common", "manila-common"];
const LOCK_WAIT_MS = 600_000;
const UNUSED_AFTER_MS = 30 * 24 * 60 * 60_000;

/**
 * Debian's files of Keystone, Cinder and Manila, unpacked into a folder and not installed: nothing of the machine changes, and no service
 * starts by itself. Kept for all checkouts of this user, by which packages they are.
 */
export async function ensureOpenStackFiles(cache: string, progress: Progress): Promise<string> {
  if (findCommand("apt-get") === undefined || !existsSync("/usr/bin/python3")) {
    throw new LabError(
      "NODE_REFUSED",
      "Keystone, Cinder and Manila are Debian's here, and there is no apt-get or no /usr/bin/python3",
    );
  }
  const home = join(cache, "openstack");
  return withLock(join(home, "lock"), { waitMs: LOCK_WAIT_MS }, async () => {
    const names = await packageNames();
    const root = join(home, createHash("sha256").update(names).digest("hex").slice(0, 16));
    if (!existsSync(root)) await timed(progress, "fetching Keystone, Cinder and Manila", () => unpackInto(root));
    utimesSync(root, new Date(), new Date());
    removeUnusedFolders(home);
    return root;
  });
}

function removeUnusedFolders(home: string): void {
  try {
    removeUnusedStamps(home, Date.now() - UNUSED_AFTER_MS);
  } catch {
    // It costs room and nothing else.
  }
}

/** Which files there would be to fetch; a list that is out of date is renewed once. */
async function packageNames(): Promise<string> {
  const ask = async () => {
    const printed = await aptGet(["install", "--print-uris", ...WITH_DEPENDENCIES, ...ALONE]);
    return printed.stdout;
  };
  try {
    return await ask();
  } catch {
    await aptGet(["update"]);
    return ask();
  }
}

/** Whoever looks sees all of it or none. */
async function unpackInto(root: string): Promise<void> {
  const temporary = temporaryName(root);
  const archives = join(temporary, "archives");
  mkdirSync(join(archives, "partial"), { recursive: true });
  try {
    // apt looks at signatures and hashes; it locks nothing, since nothing is installed.
    const place = ["-o", `Dir::Cache::archives=${archives}/`, "-o", "Debug::NoLocking=1"];
    await aptGet([...place, "install", "--download-only", ...WITH_DEPENDENCIES]);
    await aptGet(["download", ...ALONE], archives);
    const files = listFolder(archives).filter((name) => name.endsWith(".deb"));
    for (const name of files) await runCommand("dpkg-deb", ["--extract", join(archives, name), temporary]);
    rmSync(archives, { recursive: true });
    renameSync(temporary, root);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function aptGet(words: readonly string[], cwd?: string) {
  return runCommand("apt-get", ["--quiet", "--quiet", "--yes", "--no-install-recommends", ...words], {
    cwd,
    environment: { DEBIAN_FRONTEND: "noninteractive" },
  });
}
