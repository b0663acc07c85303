import type { EventRecorder } from "@stowage/kube";
import { type Clock, type Container as ContainerField, hasErrorCode, type Pod } from "@stowage/machinery";
import type { ImageProgram } from "../life/container-plan.ts";
import { RestartBackoff } from "../life/restart-backoff.ts";
import { containerReference } from "../values/container-reference.ts";
import { imageNameError } from "./image-name.ts";

export interface ImageDeps {
  readonly clock: Clock;
  readonly events: EventRecorder;
  image(container: ContainerField, podIPs: readonly string[]): ImageProgram;
}

export type ImageFinding =
  | { readonly program: ImageProgram }
  | { readonly program: undefined; readonly reason: string; readonly message: string };

interface Failed {
  readonly atMs: number;
  readonly message: string;
}

/**
 * The programs in place of the images of one Pod. Nothing is ever pulled; what is told is what kubelet tells of images that are there, and of
 * those that cannot be pulled, with its longer and longer waits between tries.
 */
export class ImageAccess {
  readonly #deps: ImageDeps;
  readonly #backoff = new RestartBackoff();
  /** By image: how the last try failed. */
  readonly #failed = new Map<string, Failed>();

  constructor(deps: ImageDeps) {
    this.#deps = deps;
  }

  find(pod: Pod, field: ContainerField, podIPs: readonly string[]): ImageFinding {
    const finding = this.#found(pod, field, podIPs);
    if (finding.program === undefined) this.#tell(pod, field, ["Warning", "Failed", `Error: ${finding.reason}`]);
    return finding;
  }

  #found(pod: Pod, field: ContainerField, podIPs: readonly string[]): ImageFinding {
    const { image = "", imagePullPolicy } = field;
    const nameError = imageNameError(image);
    if (nameError !== undefined) {
      const message = `Failed to apply default image tag ${JSON.stringify(image)}: ${nameError}`;
      this.#tell(pod, field, ["Warning", "InspectFailed", message]);
      return refused("InvalidImageName", message);
    }
    const isPulled = imagePullPolicy === "Always";
    if (isPulled && this.#waits(image)) return this.#backOff(pod, field);
    try {
      const program = this.#deps.image(field, podIPs);
      this.#tellFound(pod, field, isPulled);
      return { program };
    } catch (error) {
      if (!hasErrorCode(error, "IMAGE_UNKNOWN")) throw error;
      return this.#notFound(pod, field, error.message);
    }
  }

  #notFound(pod: Pod, field: ContainerField, why: string): ImageFinding {
    const { image = "", imagePullPolicy } = field;
    if (imagePullPolicy === "Never") {
      const message = `Container image "${image}" is not present with pull policy of Never`;
      this.#tell(pod, field, ["Warning", "ErrImageNeverPull", message]);
      return refused("ErrImageNeverPull", message);
    }
    if (this.#waits(image)) return this.#backOff(pod, field);
    const nowMs = this.#deps.clock.nowMs();
    this.#tell(pod, field, ["Normal", "Pulling", `Pulling image "${image}"`]);
    this.#tell(pod, field, ["Warning", "Failed", `Failed to pull image "${image}": ${why}`]);
    this.#backoff.started(image, nowMs, nowMs);
    this.#failed.set(image, { atMs: nowMs, message: why });
    return refused("ErrImagePull", why);
  }

  #waits(image: string): boolean {
    const failed = this.#failed.get(image);
    if (failed === undefined) return false;
    return this.#backoff.waitsUntilMs(image, failed.atMs, this.#deps.clock.nowMs()) !== undefined;
  }

  #backOff(pod: Pod, field: ContainerField): ImageFinding {
    const { image = "" } = field;
    const message = `Back-off pulling image "${image}"`;
    this.#tell(pod, field, ["Normal", "BackOff", message]);
    return refused("ImagePullBackOff", `${message}: ErrImagePull: ${this.#failed.get(image)?.message ?? ""}`);
  }

  #tellFound(pod: Pod, field: ContainerField, isPulled: boolean): void {
    const { image = "" } = field;
    this.#failed.delete(image);
    if (!isPulled) {
      const message = `Container image "${image}" already present on machine and can be accessed by the pod`;
      return this.#tell(pod, field, ["Normal", "Pulled", message]);
    }
    this.#tell(pod, field, ["Normal", "Pulling", `Pulling image "${image}"`]);
    const message = `Successfully pulled image "${image}" in 0s (0s including waiting). Image size: 0 bytes.`;
    this.#tell(pod, field, ["Normal", "Pulled", message]);
  }

  #tell(
    pod: Pod,
    field: ContainerField,
    [type, reason, message]: readonly ["Normal" | "Warning", string, string],
  ): void {
    this.#deps.events.event(containerReference(pod, field.name), type, reason, message);
  }
}

const refused = (reason: string, message: string): ImageFinding => ({ program: undefined, reason, message });
