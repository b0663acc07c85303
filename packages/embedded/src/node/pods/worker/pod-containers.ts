import type { Container as ContainerField, Pod } from "@stowage/machinery";
import type { Container, ContainerExit } from "../../runtime/index.ts";
import type { ContainerHealth, ContainerRecord, ContainerRecords } from "../life/container-record.ts";
import type { ContainerFacts, StartedContainer, StartedExit } from "../status/container-status.ts";
import { allContainers } from "../values/container-field.ts";

interface Waiting {
  readonly reason: string;
  readonly message?: string;
}

/** Every start of the containers of one Pod, also those of an agent before this one. */
export class PodContainers {
  readonly #starts = new Map<string, Container[]>();
  readonly #waiting = new Map<string, Waiting>();
  /** By start: its last words. */
  readonly #words = new Map<string, string>();

  constructor(found: readonly Container[]) {
    for (const container of found.toSorted((a, b) => a.labels.attempt - b.labels.attempt)) this.add(container);
  }

  add(container: Container): void {
    const { containerName } = container.labels;
    this.#starts.set(containerName, [...(this.#starts.get(containerName) ?? []), container]);
    this.#waiting.delete(containerName);
  }

  latest(name: string): Container | undefined {
    return this.#starts.get(name)?.at(-1);
  }

  former(name: string): Container | undefined {
    return this.#starts.get(name)?.at(-2);
  }

  running(): Container[] {
    return this.all().filter(({ exit }) => exit === undefined);
  }

  all(): Container[] {
    return [...this.#starts.values()].flat();
  }

  /** Those that nobody asks about any more: all but the last two starts of each, which have ended. */
  outdated(): Container[] {
    return [...this.#starts.values()].flatMap((starts) => starts.slice(0, -2).filter(({ exit }) => exit !== undefined));
  }

  forget(container: Container): void {
    const { containerName } = container.labels;
    const others = (this.#starts.get(containerName) ?? []).filter(({ id }) => id !== container.id);
    this.#starts.set(containerName, others);
    this.#words.delete(container.id);
  }

  wait(name: string, waiting: Waiting): void {
    this.#waiting.set(name, waiting);
  }

  /** Hears what those that have ended left to say, once. */
  async hearLastWords(hear: (container: Container) => Promise<string>): Promise<void> {
    for (const container of this.all()) {
      if (container.exit === undefined || this.#words.has(container.id)) continue;
      this.#words.set(container.id, await hear(container));
    }
  }

  /** Counted on where nothing is left of the starts before, but the API server knows of them. */
  nextAttempt({ status }: Pod, name: string): number {
    const latest = this.latest(name);
    if (latest !== undefined) return latest.labels.attempt + 1;
    const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
    const told = [...containerStatuses, ...initContainerStatuses].find((each) => each.name === name);
    const hasRun = told?.state?.running !== undefined || told?.lastState?.terminated !== undefined;
    return told !== undefined && hasRun ? told.restartCount + 1 : 0;
  }

  records(pod: Pod, healthOf: (field: ContainerField) => ContainerHealth): ContainerRecords {
    return new Map(allContainers(pod).map((field) => [field.name, this.#record(field, healthOf(field))]));
  }

  facts({ name }: ContainerField, { isReady, hasComeUp }: ContainerHealth): ContainerFacts {
    return {
      latest: this.#started(this.latest(name)),
      former: this.#started(this.former(name)),
      waiting: this.#waiting.get(name),
      isReady,
      hasComeUp,
    };
  }

  #record({ name, image = "" }: ContainerField, { hasComeUp, isFailing }: ContainerHealth): ContainerRecord {
    const latest = this.latest(name);
    if (latest === undefined) return { hasComeUp: false };
    const { startedMs, exit, labels } = latest;
    return {
      startedMs,
      hasComeUp,
      ...(labels.image !== undefined && labels.image !== image && { isChanged: true }),
      ...(isFailing !== undefined && { isFailing }),
      ...(exit !== undefined && { exit }),
    };
  }

  #started(container: Container | undefined): StartedContainer | undefined {
    if (container === undefined) return undefined;
    const { id, startedMs, exit, labels } = container;
    const ended = exit === undefined ? {} : { exit: this.#exit(container, exit) };
    return { id, attempt: labels.attempt, startedMs, ...ended };
  }

  #exit({ id }: Container, { exitCode, finishedMs, startError }: ContainerExit): StartedExit {
    const message = this.#words.get(id);
    return {
      exitCode,
      finishedMs,
      ...(startError !== undefined && { startError }),
      ...(message !== undefined && { message }),
    };
  }
}
