import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { StowageError } from "@stowage/machinery";
import { type ClusterIdentity, newIdentity } from "./identity.ts";

export function statePathOf(dataDir: string): string {
  return join(dataDir, "state.db");
}

/** Where a cluster keeps itself. All of it is readable by its owner alone. */
export class DataFolder implements Disposable {
  readonly path: string;
  readonly #lock: DatabaseSync;

  /** Throws when another server has it open. */
  constructor(path: string) {
    this.path = path;
    this.#lock = inFolder(path, () => {
      mkdirSync(join(path, "pki"), { recursive: true, mode: 0o700 });
      chmodSync(path, 0o700);
      return lockOf(path);
    });
  }

  get kubeconfigPath(): string {
    return join(this.path, "kubeconfig");
  }

  /** As it was, or a new one that is kept from now on. */
  identity(nowMs: number): ClusterIdentity {
    return inFolder(this.path, () => this.#identity(nowMs));
  }

  writeKubeconfig(text: string): void {
    inFolder(this.path, () => writePrivately(this.kubeconfigPath, text));
  }

  [Symbol.dispose](): void {
    this.#lock.close();
  }

  #identity(nowMs: number): ClusterIdentity {
    const [certificate, key, tokenKey] = ["ca.crt", "ca.key", "service-account.key"].map((name) =>
      join(this.path, "pki", name),
    ) as [string, string, string];
    if (existsSync(tokenKey)) {
      return { authority: { certificate: read(certificate), key: read(key) }, tokenKey: read(tokenKey) };
    }
    const identity = newIdentity(nowMs);
    writePrivately(certificate, identity.authority.certificate);
    writePrivately(key, identity.authority.key);
    // Last, since it says that all are there.
    writePrivately(tokenKey, identity.tokenKey);
    return identity;
  }
}

/** A folder that is not there, not ours or full is something that its owner has to look at. */
function inFolder<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof StowageError) throw error;
    throw new StowageError("STORE_UNUSABLE", `the data directory ${path} cannot be used`, {
      cause: error,
      nextStep: "See to it that it is there, belongs to whoever runs the server, can be written to and has room.",
    });
  }
}

const sqliteBusy = 5;

/** Held for as long as the process lives, however it ends. */
function lockOf(path: string): DatabaseSync {
  const lock = new DatabaseSync(join(path, "lock.db"));
  try {
    // Nothing is ever written to it, so that a full disk does not matter.
    lock.exec("PRAGMA journal_mode = MEMORY; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;");
    return lock;
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && "errcode" in error && error.errcode === sqliteBusy)) throw error;
    throw new StowageError("STORE_IN_USE", `${path} is used by another API server`, { cause: error });
  }
}

function read(path: string): string {
  return readFileSync(path, "utf8");
}

/** Whole or not at all. */
function writePrivately(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  renameSync(draft, path);
}
