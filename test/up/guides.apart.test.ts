import { copyFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { createClient, createTransport, loadKubeconfig } from "@stowage/kube";
import { ensureBinaries, silentProgress } from "@stowage/lab";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { blockAfter, checkout, commandsIn, type DocumentCommand, documents } from "../guides/document-commands.ts";
import { Reader, type Window } from "../guides/reader.ts";
import { runElsewhere } from "../guides/run-elsewhere.ts";
import { shopScene } from "../guides/shop-scene.ts";
import { expectationOf, withStandIns } from "../guides/typed-commands.ts";
import { driverRestarts, endedSince, expectDriverAtWork } from "./stowage-up/driver-calm.ts";
import { leftOf } from "./stowage-up/machine-state.ts";
import { expectSharedVolume } from "./stowage-up/shared-volume.ts";

// README and guides as somebody reads them who types every command: in the order of the document, on clusters that the documents' own
// commands bring.

const PATIENCE_MS = 600_000;
const administrators = "docs/guides/administrators.md";
/** README begins: its cluster is where the others are typed. The administrators' guide has clusters of its own. */
const inOrder = [...documents.filter((name) => name !== administrators), administrators];

const fulfilled = "as expected";
const keyOf = ({ document, text }: DocumentCommand) => `${document}: ${text.split("\n")[0]}`;
const elsewhere = new Map(runElsewhere.map((each) => [`${each.document}: ${each.command}`, each]));
const all = documents.flatMap(commandsIn);
const typedHere = (commands: readonly DocumentCommand[]) => commands.filter((each) => !elsewhere.has(keyOf(each)));

describe("the list of commands that are run elsewhere", () => {
  it("names only commands that a document has, and tests that there are", () => {
    const known = new Set(all.map(keyOf));
    expect([...elsewhere.keys()].filter((key) => !known.has(key))).toEqual([]);
    const files = runElsewhere.flatMap(({ tests }) => tests);
    expect(files.filter((file) => !existsSync(join(checkout, file)))).toEqual([]);
  });

  it("is the smaller part", () => {
    expect(typedHere(all).length / all.length).toBeGreaterThan(0.6);
  });
});

describe("what a reader types", () => {
  let reader: Reader;
  /** Where `npm start` runs. */
  let first: Window | undefined;
  let open: Window | undefined;
  const stateOfStart = () => join(reader.home, ".stowage", "cluster");
  const kubeconfigIn = (state: string) => join(state, "cluster", "apiserver", "kubeconfig");
  const simulated = () => join(reader.temporaryFolder, "openstack");

  beforeAll(async () => {
    const { kubectl } = await ensureBinaries(["kubectl"], { progress: silentProgress });
    reader = new Reader(dirname(kubectl?.path ?? ""));
  }, PATIENCE_MS);
  afterAll(async () => {
    const window = reader.open("");
    for (const state of [stateOfStart(), simulated()])
      await window.shell.type(`npx stowage reset --state-dir ${state}`);
    await window[Symbol.asyncDispose]();
    await open?.[Symbol.asyncDispose]();
    await first?.[Symbol.asyncDispose]();
    await reader?.[Symbol.asyncDispose]();
  }, PATIENCE_MS);

  /** Where something is wrong. */
  async function makeShop(window: Window, driver: string): Promise<void> {
    window.write("shop.yaml", shopScene(driver));
    const made = await window.shell.type("kubectl apply -f shop.yaml");
    expect(made, made.stderr).toMatchObject({ exitCode: 0 });
  }

  /** Nothing of the simulated cloud ends by itself once it is up, and its shares can be used beside its volumes. */
  async function expectCalm(): Promise<void> {
    const config = await loadKubeconfig({ path: kubeconfigIn(simulated()), env: {}, homeDir: "/" });
    using stack = new DisposableStack();
    const transport = stack.adopt(createTransport(config), (opened) => opened.close());
    const client = createClient({ transport });
    const restarts = await driverRestarts(client);
    await expectDriverAtWork(client, "cinder.csi.openstack.org", 10_300);
    await expectSharedVolume(client, "manila.csi.openstack.org", "csi-manila-default");
    expect(await endedSince(client, restarts)).toEqual([]);
  }

  const before: Readonly<Record<string, (window: Window) => Promise<void>>> = {
    "docs/guides/explain.md": (window) => makeShop(window, "local.csi.stowage.dev"),
    "docs/guides/driver-vendors.md": async () =>
      copyFileSync(kubeconfigIn(stateOfStart()), join(reader.home, ".kube", "config")),
    [administrators]: async () => first?.interrupt(),
  };

  const afterCommand: Readonly<Record<string, (window: Window) => Promise<void>>> = {
    "npx stowage up --platform openstack --state-dir /tmp/openstack": async (window) => {
      await window.shell.type(`export KUBECONFIG=${kubeconfigIn(simulated())}`);
      await expectCalm();
      await makeShop(window, "cinder.csi.openstack.org");
    },
    "kubectl get storageclass standard-csi": async (window) => {
      const line = all.find(({ text }) => text === "kubectl get storageclass standard-csi")?.line ?? 0;
      window.write("volume.yaml", blockAfter(administrators, "yaml", line));
    },
  };

  async function standIns(window: Window): Promise<Record<string, string>> {
    const { stdout } = await window.shell.type("kubectl get pvc data -n demo -o jsonpath='{.spec.volumeName}'");
    return {
      "/tmp/": `${reader.temporaryFolder}/`,
      "/run/csi/socket": `${reader.temporaryFolder}/mock/csi.sock`,
      "127.0.0.1:6443": "127.0.0.1:0",
      "pvc-3f0c…": stdout,
    };
  }

  /** What it printed, by the command. */
  const answers = new Map<string, string>();

  async function type(window: Window, each: DocumentCommand): Promise<void> {
    const { runsOn, says, exitCodes = [0], settles, stopsOthers } = expectationOf(each.text);
    const given = withStandIns(each.text, await standIns(window));
    if (stopsOthers === true) await window.interrupt();
    if (runsOn !== undefined) return await window.typeAndLeave(given, runsOn);
    const answer = async () => {
      const { exitCode, stdout, stderr } = await window.shell.type(given);
      const printed = `${stdout}${stderr}`;
      answers.set(keyOf(each), printed);
      const isExpected = exitCodes.includes(exitCode) && (says?.test(printed) ?? true);
      return isExpected ? fulfilled : `exit code ${exitCode}: ${printed}`;
    };
    let last = await answer();
    const endMs = Date.now() + (settles === true ? PATIENCE_MS / 2 : 0);
    while (last !== fulfilled && Date.now() < endMs) last = await answer();
    expect(last).toBe(fulfilled);
  }

  describe.each(inOrder.filter((document) => typedHere(commandsIn(document)).length > 0))("%s", (document) => {
    let window: Window;

    beforeAll(async () => {
      window = reader.open(kubeconfigIn(stateOfStart()));
      if (document === "README.md") first = window;
      else open = window;
      await before[document]?.(window);
    }, PATIENCE_MS);
    afterAll(async () => {
      if (window !== first) await window?.[Symbol.asyncDispose]();
      open = undefined;
    }, PATIENCE_MS);

    it.each(typedHere(commandsIn(document)).map((each) => [each.text.split("\n")[0], each] as const))(
      "%s",
      async (_name, each) => {
        await type(window, each);
        await afterCommand[each.text]?.(window);
      },
      PATIENCE_MS,
    );
  });

  it("is shown by explain what its guide shows", async () => {
    const guide = "docs/guides/explain.md";
    const [first] = commandsIn(guide);
    expect(answers.get(`${guide}: ${first?.text}`)).toContain(blockAfter(guide, "text", first?.line ?? 0));
  });

  it("leaves nothing on the machine when its clusters are gone", async () => {
    await first?.interrupt();
    expect(leftOf(reader.folder)).toEqual([]);
  });
});
