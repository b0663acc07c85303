import type { KubeClient } from "@stowage/kube";
import {
  type ResourceType,
  StowageError,
  volumeGroupSnapshotContents,
  volumeSnapshotContents,
} from "@stowage/machinery";

const CONTENTS: readonly ResourceType[] = [volumeSnapshotContents, volumeGroupSnapshotContents];

/**
 * What a broken connection does to those who make contents: the API server has made one, the answer is lost, and the watch is taken
 * up again later than that of the snapshots.
 */
export class ContentOutage {
  /** Held up by this before the API server is asked to make a content. */
  beforeContent: (() => Promise<void>) | undefined;
  /** The names of the contents that were made. */
  readonly made: string[] = [];
  #isDown = false;
  #held: (() => void)[] = [];

  begin(): void {
    this.#isDown = true;
  }

  /** What happened meanwhile is told now, in its order. */
  end(): void {
    this.#isDown = false;
    const held = this.#held;
    this.#held = [];
    for (const tell of held) tell();
  }

  /** The client as those behind the broken connection have it. */
  readonly between = (client: KubeClient): KubeClient => ({
    ...client,
    create: async (type, object, options) => {
      if (isContent(type)) await this.beforeContent?.();
      const made = await client.create(type, object, options);
      if (isContent(type)) this.made.push(made.metadata.name ?? "");
      if (this.#isDown && isContent(type)) throw new StowageError("CONNECTION_RESET", "the answer was lost");
      return made;
    },
    watch: (type, options, onEvent) =>
      client.watch(type, options, isContent(type) ? (event) => this.#pass(() => onEvent(event)) : onEvent),
  });

  #pass(tell: () => void): void {
    if (this.#isDown) this.#held.push(tell);
    else tell();
  }
}

function isContent({ plural }: Pick<ResourceType, "plural">): boolean {
  return CONTENTS.some((type) => type.plural === plural);
}
