import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isClusterCSIDriverName } from "@stowage/machinery";
import { parseManifests, replacePlaceholders } from "@stowage/operator";
import { afterEach, describe, expect, it } from "vitest";
import { driverOperatorAssets } from "./driver-assets.ts";
import { driverOperators } from "./driver-operator-table.ts";

describe.each(driverOperators)("the assets of $id", (entry) => {
  const assets = driverOperatorAssets(entry);
  const named = (text: string) => parseManifests({ name: entry.id, text })[0];

  it("have the names that the entry says", () => {
    expect(named(assets.deployment.text)?.metadata.name).toBe(entry.operatorName);
    expect(named(assets.resource.text)?.metadata.name).toBe(entry.driverName);
    expect(assets.config.object.metadata.name).toBe(`${entry.operatorName}-config`);
    expect(isClusterCSIDriverName(entry.driverName)).toBe(true);
  });

  it("ask for no image that nobody gives", () => {
    const filled = replacePlaceholders(
      assets.deployment.text,
      Object.fromEntries(Object.keys(entry.images).map((name) => [name, "x"])),
    );
    const left = new Set([...filled.matchAll(/\$\{([A-Z_]+)\}/gu)].map(([, name]) => name));
    const given = ["LOG_LEVEL", "TLS_CIPHER_SUITES", "TLS_MIN_VERSION", ...(entry.handsOn ?? [])];
    expect([...left].filter((name) => !given.includes(name ?? "") && !name?.endsWith("_IMAGE"))).toEqual([]);
    expect(left).not.toContain("OPERATOR_IMAGE");
    expect(left).not.toContain("DRIVER_IMAGE");
  });

  it("leave nothing to fill in where nobody does", () => {
    const fixed = JSON.stringify([...assets.fixed, assets.config]);
    expect(fixed).not.toContain("${");
  });

  it("come with an account and its rights", () => {
    const kinds = assets.fixed.map(({ object }) => object.kind);
    expect(kinds).toEqual(expect.arrayContaining(["ServiceAccount", "ClusterRole", "ClusterRoleBinding", "Service"]));
  });
});

it("vSphere's figures are read, and alerts made of them, where there is such monitoring", () => {
  const entry = driverOperators.find(({ id }) => id === "vmware-vsphere");
  const { fixed } = driverOperatorAssets(entry ?? { id: "", assets: new URL(import.meta.url) });
  const monitoring = fixed.filter(({ optional }) => optional === true);
  expect(monitoring.map(({ object }) => object.kind)).toEqual(["ServiceMonitor", "PrometheusRule"]);
  const text = JSON.stringify(monitoring);
  const alerts = [...text.matchAll(/"alert":"(\w+)"/gu)].map(([, name]) => name);
  expect(alerts).toEqual(["UnsupportedCSIDriverInstalled", "VSphereTopologyMisconfiguration"]);
  for (const figure of [
    "vsphere_csi_driver_error",
    "vsphere_topology_tags",
    "vsphere_infrastructure_failure_domains",
  ]) {
    expect(text).toContain(figure);
  }
});

describe("assets that are not as they should be", () => {
  const folder = mkdtempSync(join(tmpdir(), "assets-"));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it("are told by folder and file before anything is started", () => {
    const read = () => driverOperatorAssets({ id: "broken", assets: pathToFileURL(`${folder}/`) });
    expect(read).toThrow("csidriveroperators/broken has no file *_configmap.yaml");
    for (const part of ["deployment", "cr"]) writeFileSync(join(folder, `07_${part}.yaml`), "");
    writeFileSync(join(folder, "03_configmap.yaml"), "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: x }\n");
    writeFileSync(join(folder, "02_sa.yaml"), "kind: [\n");
    expect(read).toThrow(/csidriveroperators\/broken\/02_sa\.yaml, line \d+ is not YAML/u);
  });
});
