// Makes a checkout ready to run: the locked dependencies are installed, and a Node 24 is at hand. Everything here is
// idempotent and safe to run from two terminals at once. It must keep working on Node 18.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const MINIMUM_NODE_MAJOR = 24;
const INSTALL_LOCK_WAIT_MS = 10 * 60_000;

export const checkout = dirname(dirname(fileURLToPath(import.meta.url)));
const node24Folder = join(checkout, "bootstrap", "node24");

/** Installs what is missing and returns the path of a Node that is version 24 or later. */
export async function setUp() {
  await installLocked(checkout, "dependencies");
  const own = ownNode24();
  if (own !== undefined) return own;
  await installLocked(node24Folder, `Node ${MINIMUM_NODE_MAJOR} (this machine has ${process.version})`);
  return packagedNode24();
}

function ownNode24() {
  if (isRecentEnough(process.versions.node)) return process.execPath;
  const fileName = process.platform === "win32" ? "node.exe" : "node";
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const candidate = join(folder, fileName);
    if (folder === "" || !existsSync(candidate) || realpathSync(candidate) === realpathSync(process.execPath)) continue;
    const answer = spawnSync(candidate, ["-p", "process.versions.node"], { encoding: "utf8" });
    if (answer.status === 0 && isRecentEnough(answer.stdout)) return candidate;
  }
  return undefined;
}

function isRecentEnough(version) {
  return Number.parseInt(version, 10) >= MINIMUM_NODE_MAJOR;
}

function packagedNode24() {
  const { platform, arch } = process;
  const names = [`node-${platform === "win32" ? "win" : platform}-${arch}`, `node-bin-${platform}-${arch}`];
  for (const name of names) {
    for (const file of ["bin/node", "bin/node.exe"]) {
      const candidate = join(node24Folder, "node_modules", name, file);
      if (existsSync(candidate)) return candidate;
    }
  }
  throw new Error(
    `no packaged Node ${MINIMUM_NODE_MAJOR} for ${platform} ${arch}: install Node ${MINIMUM_NODE_MAJOR} or later and run the command again`,
  );
}

/**
 * Installs a folder's lockfile, only when it is not the one that was installed last. Not by `npm ci`: that refuses a lockfile
 * which lacks the optional packages of other platforms, and not every registry has those.
 */
async function installLocked(folder, what) {
  const modules = join(folder, "node_modules");
  const stamp = join(modules, ".stowage-installed");
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex");
  const isCurrent = () => existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (isCurrent()) return;
  await withInstallLock(folder, () => {
    if (isCurrent()) return;
    console.error(`stowage: installing ${what} …`);
    const startedAt = Date.now();
    const npm = npmCommand();
    const result = spawnSync(
      npm.command,
      [...npm.arguments, "install", "--no-save", "--no-audit", "--no-fund", "--loglevel=error"],
      {
        cwd: folder,
        stdio: ["ignore", 2, 2],
        env: { ...process.env, npm_config_workspaces: "", npm_config_loglevel: "error" },
      },
    );
    if (result.error !== undefined)
      throw new Error(`npm could not be started: ${result.error.message}; install npm and try again`);
    if (result.status !== 0)
      throw new Error(
        `"npm install" in ${folder} failed (exit ${result.status}): see the lines above, mend that and run the command again`,
      );
    mkdirSync(modules, { recursive: true });
    writeFileSync(stamp, wanted);
    console.error(`stowage: installed ${what} in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  });
}

/** The npm that runs us, when npm does: the one on the PATH may be another. */
function npmCommand() {
  const running = process.env.npm_execpath;
  if (running !== undefined && /npm-cli\.c?js$/.test(running))
    return { command: process.execPath, arguments: [running] };
  return { command: process.platform === "win32" ? "npm.cmd" : "npm", arguments: [] };
}

/** One installer at a time in a folder; a lock whose owner has died is taken over. */
async function withInstallLock(folder, install) {
  const lock = join(folder, ".stowage-installing");
  const giveUpAt = Date.now() + INSTALL_LOCK_WAIT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== "EEXIST")
        throw new Error(`cannot write in ${folder}: ${error.message}; make the checkout writable`, { cause: error });
      if (lockOwnerIsGone(lock)) {
        rmSync(lock, { recursive: true, force: true });
        continue;
      }
      if (Date.now() > giveUpAt)
        throw new Error(`another process has been installing for too long; remove ${lock} and try again`, {
          cause: error,
        });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
  try {
    writeFileSync(join(lock, "pid"), String(process.pid));
    install();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

function lockOwnerIsGone(lock) {
  let owner;
  try {
    owner = Number(readFileSync(join(lock, "pid"), "utf8"));
  } catch {
    return false; // The owner has made the folder and not yet written its id, or is removing it.
  }
  if (!Number.isInteger(owner) || owner <= 0) return false;
  try {
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return error.code === "ESRCH";
  }
}
