import { formatIni, type IniSection, parseIni } from "../../../../cloud-config/index.ts";

/** Where the assets mount the credentials and the authority; the driver finds them by these. */
const CLOUDS_FILE = "/etc/kubernetes/secret/clouds.yaml";
const CA_FILE = "/etc/kubernetes/static-pod-resources/configmaps/cloud-config/ca-bundle.pem";

const KEPT_SECTION = "blockstorage";
/** Of the driver that was part of Kubernetes; the present one refuses to start with it. */
const LEGACY_KEYS: ReadonlySet<string> = new Set(["trust-device-path"]);

export interface CloudConfInput {
  /** What the user or the installer has written; undefined when nobody has. */
  readonly source: { readonly text: string; readonly where: string } | undefined;
  readonly hasCa: boolean;
}

/**
 * The driver's `cloud.conf`: of the source only `[BlockStorage]`, and beside it how to get into the cloud. Everything else there is of
 * other components, and may hold what the driver would trip over.
 */
export function desiredCloudConf({ source, hasCa }: CloudConfInput): string {
  const found = source === undefined ? [] : parseIni(source.text, source.where);
  const kept = found.filter(isKept).map(withoutLegacy);
  const global: IniSection = {
    name: "Global",
    values: new Map([
      ["use-clouds", "true"],
      ["clouds-file", CLOUDS_FILE],
      ["cloud", "openstack"],
      ...(hasCa ? ([["ca-file", CA_FILE]] as const) : []),
    ]),
  };
  return formatIni([...kept.filter(({ values }) => values.size > 0), global]);
}

/** The driver reads names of sections and keys in whatever case they are written. */
function isKept({ name }: IniSection): boolean {
  return name.toLowerCase() === KEPT_SECTION;
}

function withoutLegacy({ name, values }: IniSection): IniSection {
  return { name, values: new Map([...values].filter(([key]) => !LEGACY_KEYS.has(key.toLowerCase()))) };
}
