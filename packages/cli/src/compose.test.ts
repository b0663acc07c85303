import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { hasErrorCode, silentLogger } from "@stowage/machinery";
import { describe, expect, it, onTestFinished } from "vitest";
import { type ClusterChoice, connectToCluster, connectToLook } from "./compose.ts";

/** Somebody's home, with the clusters that are there: the file of each kubeconfig, and where it leads. */
function homeWith(clusters: Readonly<Record<string, string>>, env: Readonly<Record<string, string>> = {}) {
  const homeDir = mkdtempSync(join(tmpdir(), "stowage-home-"));
  onTestFinished(() => rmSync(homeDir, { recursive: true }));
  for (const [file, server] of Object.entries(clusters)) {
    const path = join(homeDir, file);
    mkdirSync(dirname(path), { recursive: true });
    const clusterEntry = { name: "a", cluster: { server } };
    const context = { name: "a", context: { cluster: "a", user: "" } };
    writeFileSync(path, JSON.stringify({ clusters: [clusterEntry], contexts: [context], "current-context": "a" }));
  }
  const terminal = { out() {}, err() {} };
  const signal = new AbortController().signal;
  return { homeDir, env, terminal, signal, logger: silentLogger, setLogLevel() {} };
}

const ofUp = ".stowage/cluster/cluster/apiserver/kubeconfig";
const ofRealUp = ".stowage/cluster/cluster/kubernetes/kubeconfig";
const [up, other] = ["https://127.0.0.1:1001", "https://127.0.0.1:1002"] as const;

async function lookedAt(context: ReturnType<typeof homeWith>, choice: ClusterChoice = {}): Promise<string> {
  using access = await connectToLook(context, choice);
  return access.client.server;
}

describe("a command that only looks", () => {
  it.each([ofUp, ofRealUp])("finds the cluster of `stowage up` by itself: %s", async (file) => {
    expect(await lookedAt(homeWith({ [file]: up }))).toBe(up);
  });

  it("finds it where the variable says that it is kept", async () => {
    const { homeDir, ...rest } = homeWith({ "elsewhere/cluster/apiserver/kubeconfig": up });
    const env = { STOWAGE_UP_STATE_DIR: join(homeDir, "elsewhere") };
    expect(await lookedAt({ ...rest, homeDir, env })).toBe(up);
  });

  it("looks at the cluster of the user's own kubeconfig where there is one", async () => {
    expect(await lookedAt(homeWith({ [ofUp]: up, ".kube/config": other }))).toBe(other);
  });

  it.each<[string, ClusterChoice, Record<string, string>]>([
    ["a file", { kubeconfig: "/nowhere/kubeconfig" }, {}],
    ["a context", { context: "another" }, {}],
    ["KUBECONFIG", {}, { KUBECONFIG: "/nowhere/kubeconfig" }],
  ])("looks at no other cluster where %s says which one is meant", async (_what, choice, env) => {
    const failure = await lookedAt(homeWith({ [ofUp]: up }, env), choice).catch((error: unknown) => error);
    expect(hasErrorCode(failure, "KUBECONFIG_NOT_FOUND")).toBe(true);
  });
});

it("a command that changes something is never led to the cluster of `stowage up`", async () => {
  const failure = await connectToCluster(homeWith({ [ofUp]: up }), {}).catch((error: unknown) => error);
  expect(hasErrorCode(failure, "KUBECONFIG_NOT_FOUND")).toBe(true);
});
