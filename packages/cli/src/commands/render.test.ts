import { type Container, type KubernetesObject, type PodTemplateSpec, silentLogger } from "@stowage/machinery";
import { parseManifests } from "@stowage/operator";
import { driverIds, loadDriverProfile, type SidecarsMode } from "@stowage/operators/csi-driver";
import { describe, expect, it } from "vitest";
import type { Command } from "../command.ts";
import { flagOf } from "../options/option-table.ts";
import { commanderOption, plainArguments } from "../options/parse-options.ts";
import { runProgram } from "../program.ts";
import { commands } from "./index.ts";

async function render(...given: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = "";
  let err = "";
  const terminal = { out: (text: string) => void (out += text), err: (text: string) => void (err += text) };
  const context = {
    terminal,
    logger: silentLogger,
    setLogLevel: () => {},
    env: {},
    homeDir: "/",
    signal: new AbortController().signal,
  };
  const code = await runProgram({ commands, terminal, contextFor: () => context }, ["render", ...given]);
  return { code, out, err };
}

describe("stowage render", () => {
  it("prints the objects as YAML, or as one list in JSON", async () => {
    const yaml = parseManifests({ name: "out", text: (await render("local")).out });
    const { items } = JSON.parse((await render("local", "-o", "json")).out) as { items: KubernetesObject[] };
    expect(items).toEqual(yaml);
    expect(items.map(({ kind }) => kind)).toContain("DaemonSet");
  });

  it("prints what the options make of a cluster", async () => {
    const options = ["--topology=SingleReplica", "--log-level=Debug", "--cluster-id=shop-x7", "--sidecars=Combined"];
    const { out } = await render("openstack-cinder", "--platform=OpenStack", ...options);
    expect(out).toContain("replicas: 1\n");
    expect(out).toContain("- --v=4\n");
    expect(out).toContain("- --cluster=shop-x7\n");
    expect(out).toContain("- name: csi-sidecars\n");
  });

  it.each([
    ["a driver that there is none of", ["nothing"], 2, "local, openstack-cinder"],
    ["a topology that there is none of", ["local", "--topology=Flat"], 2, "Allowed choices are HighlyAvailable"],
    ["sidecars that the driver does not have", ["local", "--sidecars=Separate"], 1, "this driver has Combined"],
  ])("refuses %s", async (_, given, code, words) => {
    const refused = await render(...given);
    expect(refused).toMatchObject({ code, out: "" });
    expect(refused.err).toContain(words);
  });
});

const profiles = await Promise.all(driverIds.map(loadDriverProfile));
const variants = profiles.flatMap(({ id, sidecars }) => sidecars.map((mode): [string, SidecarsMode] => [id, mode]));

describe.each(variants)("commands of ours in the Pods of %s with sidecars: %s", (id, sidecars) => {
  it("are there, and take every argument that they are given", async () => {
    const { out } = await render(id, `--sidecars=${sidecars}`);
    const ours = parseManifests({ name: "out", text: out })
      .flatMap(containersOf)
      .filter(({ command = [] }) => command[0] === "stowage");
    expect(ours.length > 0).toBe(sidecars === "Combined");
    for (const container of ours) expect(problemsOf(container), container.name).toEqual([]);
  });
});

function containersOf(object: KubernetesObject): Container[] {
  const { spec } = object as { spec?: { template?: PodTemplateSpec } };
  return spec?.template?.spec?.containers ?? [];
}

function problemsOf({ command = [], args = [] }: Container): string[] {
  const words = command.slice(1).join(" ");
  const found = commands.find(({ name }) => words === name || words.startsWith(`${name} `));
  if (found === undefined) return [`there is no command ${words}`];
  return plainArguments(found.options, args).flatMap((argument) => problemOf(found, argument));
}

function problemOf({ options }: Command, argument: string): string[] {
  const [flag = "", ...value] = argument.split("=");
  const known = Object.entries(options).find(([name]) => flagOf(name) === flag);
  if (known === undefined) return [`there is no ${flag}`];
  try {
    commanderOption(...known).parseArg?.(value.join("="), undefined);
    return [];
  } catch (error) {
    return [`${argument}: ${(error as Error).message}`];
  }
}
