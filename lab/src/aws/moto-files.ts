import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, utimesSync } from "node:fs";
import { delimiter, join } from "node:path";
import { removeUnusedStamps } from "../build/binary-cache.ts";
import { LabError } from "../errors.ts";
import { temporaryName } from "../files.ts";
import { commandSucceeds, runCommand } from "../process/command.ts";
import { withLock } from "../process/lock.ts";
import { type Progress, timed } from "../progress.ts";

export interface MotoFiles {
  readonly python: string;
  /** Of Python's modules. */
  readonly root: string;
}

/** moto for EC2, what its server needs, and what those need: all of it, so that it is the same everywhere. */
const PACKAGES = [
  "blinker==1.9.0",
  "boto3==1.44.0",
  "botocore==1.44.0",
  "certifi==2026.10.18",
  "cffi==2.1.1",
  "charset-normalizer==3.5.2",
  "click==8.5.1",
  "cryptography==50.0.2",
  "Flask==3.1.3",
  "flask-cors==6.0.5",
  "idna==3.20",
  "itsdangerous==2.2.0",
  "Jinja2==3.1.6",
  "jmespath==1.1.0",
  "MarkupSafe==3.0.4",
  "moto==5.2.5",
  "pycparser==3.12",
  "python-dateutil==2.9.0.post0",
  "PyYAML==6.0.3",
  "requests==2.34.2",
  "responses==0.26.3",
  "s3transfer==0.19.3",
  "six==1.17.0",
  "urllib3==2.8.0",
  "Werkzeug==3.1.9",
  "xmltodict==1.0.4",
];
const LOCK_WAIT_MS = 600_000;
const UNUSED_AFTER_MS = 30 * 24 * 60 * 60_000;

/** moto from PyPI, in a folder and not installed. Kept for all checkouts of this user, by which packages it is and for which Python. */
export async function ensureMotoFiles(cache: string, progress: Progress): Promise<MotoFiles> {
  const python = await pythonWithPip();
  const { stdout: version } = await runCommand(python, ["-VV"]);
  const home = join(cache, "moto");
  mkdirSync(home, { recursive: true });
  return withLock(join(home, "lock"), { waitMs: LOCK_WAIT_MS }, async () => {
    const stamp = createHash("sha256")
      .update([version, ...PACKAGES].join("\n"))
      .digest("hex")
      .slice(0, 16);
    const root = join(home, stamp);
    if (!existsSync(root)) await timed(progress, "fetching moto", () => installInto(root, python));
    utimesSync(root, new Date(), new Date());
    removeUnusedFolders(home);
    return { python, root };
  });
}

/** Debian has Python without pip; another Python on the path may have it. */
async function pythonWithPip(): Promise<string> {
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/local/bin", "/usr/bin"];
  for (const folder of new Set(folders.filter((each) => each !== ""))) {
    const python = join(folder, "python3");
    if (existsSync(python) && (await commandSucceeds(python, ["-m", "pip", "--version"]))) return python;
  }
  throw new LabError("NODE_REFUSED", "moto is from PyPI, and there is no python3 with pip (Debian's python3-pip)");
}

/** Whoever looks sees all of it or none. Nothing is resolved: the list above is whole. */
async function installInto(root: string, python: string): Promise<void> {
  const temporary = temporaryName(root);
  try {
    const words = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--target", temporary];
    await runCommand(python, ["-m", "pip", "install", ...words, ...PACKAGES]);
    renameSync(temporary, root);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

function removeUnusedFolders(home: string): void {
  try {
    removeUnusedStamps(home, Date.now() - UNUSED_AFTER_MS);
  } catch {
    // It costs room and nothing else.
  }
}
