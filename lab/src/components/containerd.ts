import { join } from "node:path";
import { layoutOf, socketFolder } from "../cluster/layout.ts";
import { LOOPBACK } from "../cluster/settings.ts";
import { imageReferences } from "../image/lab-images.ts";
import { findCommand } from "../node/commands.ts";
import { CNI_PLUGIN_FOLDER } from "../node/packages.ts";
import { runCommand } from "../process/command.ts";
import { type Component, type Plan, toFlags } from "./component.ts";

export function containerdSocket(dir: string): string {
  return join(socketFolder(dir), "containerd.sock");
}

export function containerdConfigFile(dir: string): string {
  return join(layoutOf(dir).configuration, "containerd.toml");
}

export function desiredContainerd({ dir }: Plan): Component {
  return {
    name: "containerd",
    program: { command: containerdCommand(), version: containerdVersion },
    host: LOOPBACK,
    ports: [],
    probe: { socket: containerdSocket(dir) },
    arguments: toFlags({ config: containerdConfigFile(dir) }),
  };
}

function containerdCommand(): string {
  return findCommand("containerd") ?? "containerd";
}

/** `containerd github.com/containerd/containerd 1.6.20~ds1 …` */
async function containerdVersion(): Promise<string> {
  return (await runCommand(containerdCommand(), ["--version"])).stdout.split(" ")[2] ?? "";
}

/** Everything that containerd would keep in a fixed place is moved into the lab's own folders. */
export function desiredContainerdConfig(dir: string): string {
  const root = layoutOf(dir).containerd;
  return `version = 2
root = "${join(root, "root")}"
state = "${join(socketFolder(dir), "state")}"

[grpc]
  address = "${containerdSocket(dir)}"

[plugins."io.containerd.internal.v1.opt"]
  path = "${join(root, "opt")}"

[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "${imageReferences.pause}"
  disable_apparmor = true
  # Pods' network namespaces are mounts; below the state folder they are found when the lab is stopped.
  netns_mounts_under_state_dir = true
  # In a container or a sandbox the machine's owner may not lower the score that decides who is killed when memory is short.
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".containerd]
    snapshotter = "overlayfs"
    default_runtime_name = "runc"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        SystemdCgroup = false
        BinaryName = "${findCommand("runc") ?? "runc"}"
        Root = "${join(socketFolder(dir), "runc")}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${CNI_PLUGIN_FOLDER}"
    conf_dir = "${networkConfigFolder(dir)}"
`;
}

export function networkConfigFolder(dir: string): string {
  return join(layoutOf(dir).networks, "conf");
}
