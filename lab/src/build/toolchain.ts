import { LabError } from "../errors.ts";
import { runCommand } from "../process/command.ts";
import { isGoAtLeast } from "./go-mod-file.ts";

export interface Toolchain {
  /** As Go says it, such as go1.26.8. */
  readonly version: string;
  /** Such as linux/amd64. */
  readonly platform: string;
}

/** Asks in the module's folder, where Go may switch to the toolchain that the module names. */
export async function findToolchain(folder: string, wantedVersion: string): Promise<Toolchain> {
  const nextStep =
    `install Go ${wantedVersion} or later (https://go.dev/dl/) and put it on the PATH; ` +
    "a distribution's own package is often older (Debian 12 has Go 1.19), so the lab does not install it by itself";
  const answer = await runCommand("go", ["env", "GOVERSION", "GOOS", "GOARCH"], { cwd: folder }).catch(
    (cause: unknown) => {
      throw new LabError(
        "NO_GO",
        `the lab builds Kubernetes with Go ${wantedVersion} or later, and "go env" did not answer`,
        {
          nextStep,
          cause,
        },
      );
    },
  );
  const [version = "", os = "", architecture = ""] = answer.stdout.trim().split("\n");
  if (!isGoAtLeast(version, wantedVersion)) {
    throw new LabError("NO_GO", `the lab needs Go ${wantedVersion} or later; this machine has ${version}`, {
      nextStep,
    });
  }
  return { version, platform: `${os}/${architecture}` };
}
