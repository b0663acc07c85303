import type { EventRecorder, KubeClient } from "@stowage/kube";
import type { Clock, Logger, ResourceType } from "@stowage/machinery";
import type { LatestObjects } from "../caches/index.ts";
import type { DeletionSecretNames } from "../snapshots/index.ts";
import type { AnyContent, ContentFacts, ContentNames } from "./content-step.ts";

/** A call to the driver that is ready to be made: whatever could be wrong on our side has been looked at. */
export type DriverCall<Answer> = (signal: AbortSignal) => Promise<Answer>;

/** What a content of this kind is, and how the driver is asked about it. The steps are the same for both kinds. */
export interface ContentKind<T extends AnyContent> {
  /** For messages: `snapshot`, `group snapshot`. */
  readonly noun: string;
  readonly type: ResourceType<T>;
  readonly names: ContentNames & DeletionSecretNames;
  readonly reasons: { readonly creationFailed: string; readonly checkFailed: string; readonly deleteError: string };
  /** Of the status, what goes when the storage's snapshot is gone. */
  readonly clearedStatus: Readonly<Record<string, null>>;
  factsOf(content: T): ContentFacts;
  /** Whether the content, or its class, is for another driver. */
  isForeign(content: T): boolean;
  /** For messages: what a snapshot is taken of. */
  subjectOf(content: T): string;
  prepareCreate(content: T): Promise<DriverCall<ToldStatus<T>>>;
  prepareQuery(content: T): Promise<DriverCall<ToldStatus<T>>>;
  prepareDelete(content: T): Promise<DriverCall<unknown>>;
}

/** The status as the driver's answer has it. */
export type ToldStatus<T extends AnyContent> = Omit<NonNullable<T["status"]>, "error">;

export interface ContentDeps<T extends AnyContent> {
  readonly client: Pick<KubeClient, "patch">;
  readonly events: EventRecorder;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly contents: LatestObjects<T>;
  readonly kind: ContentKind<T>;
}
