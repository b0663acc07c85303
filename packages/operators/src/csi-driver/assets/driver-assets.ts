import { StowageError } from "@stowage/machinery";
import type { Asset } from "@stowage/operator";
import { readAssetFolder } from "../../assets/index.ts";
import type { DriverProfile, SidecarsMode } from "../driver-profile.ts";

/** A file that has a variant for each mode, or is of all modes. */
export type AssetByMode = Readonly<Record<SidecarsMode, Asset | undefined>>;

/** The composed assets of a driver, sorted by what keeps them. */
export interface DriverAssets {
  /** The Deployment. Undefined where the driver makes its volumes on each node by itself. */
  readonly controller: AssetByMode | undefined;
  /** The DaemonSet. */
  readonly node: AssetByMode;
  readonly csiDriver: Asset;
  readonly storageClasses: readonly Asset[];
  readonly snapshotClasses: readonly Asset[];
  /** CredentialsRequests of a driver that the payload has none for. */
  readonly credentials: readonly Asset[];
  /** Workloads beside the two, by the names of their files. */
  readonly companions: readonly Asset[];
  /** What the controller needs around it: ServiceAccount, Service, budget, authorities. */
  readonly controlPlane: readonly StaticAsset[];
  /** What the cluster needs: rights, and what is around the DaemonSet. */
  readonly guest: readonly StaticAsset[];
}

/** One object in one file. */
export interface StaticAsset {
  readonly asset: Asset;
  /** The only mode in which it is to be; undefined: in all. */
  readonly mode: SidecarsMode | undefined;
  /** Earlier versions have left it behind: it is to go. */
  readonly isLeftover?: boolean;
}

const modes: Readonly<Record<string, SidecarsMode>> = { separate: "Separate", combined: "Combined" };

export function readDriverAssets(profile: Pick<DriverProfile, "id" | "assets">): DriverAssets {
  return driverAssetsOf(readAssetFolder(profile.assets), profile.id);
}

/**
 * By their names, so that one file that does not parse leaves the others what they are: `controller.yaml`, `node.yaml`,
 * `csidriver.yaml`, `storageclass*.yaml`, `volumesnapshotclass*.yaml`; `controller-*` and `trusted-ca-bundle.yaml` stand around the
 * controller, and all others are the cluster's. `*-separate.yaml` and `*-combined.yaml` are of one mode alone. `credentials*.yaml` are
 * CredentialsRequests, `companion-*.yaml` further workloads, and what is in `leftover-*.yaml` is deleted wherever it is found.
 */
export function driverAssetsOf(assets: readonly Asset[], id: string): DriverAssets {
  const files = assets.map(fileOf);
  const named = (stem: string) => files.filter((file) => file.stem === stem);
  const classes = (kind: string) => files.filter(({ stem }) => isClass(stem, kind)).map(({ asset }) => asset);
  const node = byMode(named("node"));
  const [csiDriver] = named("csidriver");
  if (node === undefined || csiDriver === undefined) {
    const missing = node === undefined ? "node.yaml" : "csidriver.yaml";
    throw new StowageError("ASSET_INVALID", `the assets of ${id} have no ${missing}`);
  }
  const others = files.filter(({ stem }) => !isWorkloadOrClass(stem) && !isClass(stem, "credentials"));
  const ofController = ({ stem }: AssetFile) => stem.startsWith("controller-") || stem === "trusted-ca-bundle";
  return {
    controller: byMode(named("controller")),
    node,
    csiDriver: csiDriver.asset,
    storageClasses: classes("storageclass"),
    snapshotClasses: classes("volumesnapshotclass"),
    credentials: classes("credentials"),
    companions: files.filter(({ stem }) => isClass(stem, "companion")).map(({ asset }) => asset),
    controlPlane: others.filter(ofController),
    guest: others.filter((file) => !ofController(file)),
  };
}

interface AssetFile extends StaticAsset {
  readonly stem: string;
}

function fileOf(asset: Asset): AssetFile {
  const [, stem = asset.name, mode = ""] = /^(.+?)(?:-(separate|combined))?\.yaml$/u.exec(asset.name) ?? [];
  return { asset, stem, mode: modes[mode], ...(stem.startsWith("leftover-") && { isLeftover: true }) };
}

function isWorkloadOrClass(stem: string): boolean {
  const isWorkload = ["controller", "node", "csidriver"].includes(stem);
  return isWorkload || ["storageclass", "volumesnapshotclass", "companion"].some((kind) => isClass(stem, kind));
}

/** A driver may have several: `storageclass-fast.yaml`. */
function isClass(stem: string, kind: string): boolean {
  return stem === kind || stem.startsWith(`${kind}-`);
}

function byMode(files: readonly AssetFile[]): AssetByMode | undefined {
  if (files.length === 0) return undefined;
  const assetOf = (wanted: SidecarsMode) => files.find(({ mode }) => mode === wanted || mode === undefined)?.asset;
  return { Separate: assetOf("Separate"), Combined: assetOf("Combined") };
}
