import type { AccessType } from "../state/records.ts";
import type { Ailment } from "./ailment.ts";

/** What is to be at a path. */
export interface ContentPlan {
  readonly capacityBytes: bigint;
  readonly access: AccessType;
  readonly fsType: string;
}

/** The bytes of volumes and snapshots on disk: image files, or directories where loop devices cannot be had. */
export interface Contents {
  readonly kind: "image" | "directory";
  /** Fails before anything is made when the plan cannot be carried out here, such as for want of a program. */
  check(plan: ContentPlan): Promise<void>;
  make(path: string, plan: ContentPlan): Promise<void>;
  /** A copy as it is, by reflink where the file system has it. */
  capture(from: string, to: string): Promise<void>;
  /** Makes a fresh copy a volume of its own; answers the file system type that it has. */
  adopt(path: string, plan: ContentPlan): Promise<string>;
  resize(path: string, capacityBytes: bigint): Promise<void>;
  remove(path: string): Promise<void>;
  /** What is wrong with a volume's content as it lies on disk, if anything. */
  ailment(path: string, capacityBytes: bigint): Promise<Ailment | undefined>;
}
