import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { StowageError } from "@stowage/machinery";
import { load } from "js-yaml";
import { type ClientName, clientCertificate, controllerManager, nodeClient, scheduler } from "./identity.ts";
import { kubeconfigText } from "./kubeconfig.ts";

/** A process that takes part in the cluster. */
export type ComponentName = { readonly kind: "controllers" } | { readonly kind: "node"; readonly name: string };

export interface KubeconfigWish {
  /** Of the API server, which has been started at least once. */
  readonly dataDir: string;
  readonly component: ComponentName;
  /** Where to write it. */
  readonly file: string;
  /** Of the API server; where it served last when left out. */
  readonly server?: string | undefined;
  readonly nowMs: number;
}

/** Writes a kubeconfig for another process, signed by the cluster's own authority and readable by its owner alone. */
export function issueKubeconfig({ dataDir, component, file, server, nowMs }: KubeconfigWish): void {
  const place = (name: string) => join(dataDir, name);
  if (!existsSync(place("pki/service-account.key")) || !existsSync(place("kubeconfig"))) {
    throw new StowageError("CLUSTER_WITHOUT_IDENTITY", `${dataDir} holds no cluster that has been started`);
  }
  const [certificate, key] = ["pki/ca.crt", "pki/ca.key"].map((name) => readFileSync(place(name), "utf8")) as [
    string,
    string,
  ];
  const clients = clientsOf(component).map((name) => {
    return { user: name.user, client: clientCertificate({ authority: { certificate, key } }, name, nowMs) };
  });
  const at = server ?? serverIn(readFileSync(place("kubeconfig"), "utf8"));
  const draft = `${file}.new`;
  writeFileSync(draft, kubeconfigText({ server: at, authority: certificate, clients }), { mode: 0o600 });
  renameSync(draft, file);
}

function clientsOf(component: ComponentName): readonly ClientName[] {
  return component.kind === "node" ? [nodeClient(component.name)] : [controllerManager, scheduler];
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
}

function serverIn(text: string): string {
  return (load(text) as Kubeconfig).clusters[0]?.cluster.server ?? "";
}
