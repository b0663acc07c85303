import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { between, type Difference } from "../../api/embedded-api/difference.ts";
import type { Cluster, Clusters } from "./clusters.ts";
import { type FinalObjects, objectsOf } from "./final-objects.ts";
import { RealOutcomes } from "./real-outcomes.ts";
import type { Area, Scenario, Scene } from "./scenario.ts";
import type { OpenScene } from "./scene.ts";

export interface Compared {
  readonly area: string;
  readonly name: string;
  /** Between ours and what the real cluster has shown of each section. */
  readonly differences: readonly Difference[];
  /** How often it was played on the real cluster, and in what it did not end in the same way each time. */
  readonly realPlays: number;
  readonly varied: readonly string[];
}

/** Clusters of a kind, and how scenarios get their scenes there. */
export interface Stage<C extends Cluster, S extends Scene> {
  readonly clusters: Clusters<C>;
  open(cluster: C, name: string): Promise<OpenScene & S>;
  /** So long nothing must have changed while both are not the same: events and counts of a busy cluster come late. */
  readonly differentMs?: number;
}

const IN_FLIGHT = 16;
/** So long nothing must have changed on either side for it to be the end. */
const STILL_MS = 1_000;
const DIFFERENT_MS = 20_000;
const PATIENCE_MS = 90_000;
const STEP_MS = 250;

/** Runs all scenarios of all areas on both clusters, many at once. */
export async function compareAreas<C extends Cluster, S extends Scene>(
  stage: Stage<C, S>,
  areas: readonly Area<S>[],
): Promise<Compared[]> {
  const all = areas.flatMap(({ name, scenarios }) =>
    scenarios.map((scenario, index) => ({ area: name, scenario, id: `${name}-${index}` })),
  );
  const isAlone = ({ scenario: { alone = false } }: One<S>) => alone;
  const compare = (one: One<S>) => compareScenario(stage, one);
  const together = await inFlight(
    all.filter((one) => !isAlone(one)),
    IN_FLIGHT,
    compare,
  );
  return [...together, ...(await inFlight(all.filter(isAlone), 1, compare))];
}

interface One<S extends Scene> {
  readonly area: string;
  readonly scenario: Scenario<S>;
  readonly id: string;
}

async function compareScenario<C extends Cluster, S extends Scene>(
  stage: Stage<C, S>,
  { area, scenario, id }: One<S>,
): Promise<Compared> {
  const { clusters, differentMs = DIFFERENT_MS } = stage;
  const { real, embedded } = clusters;
  const play = (cluster: C, name: string) => played(() => stage.open(cluster, name), scenario, cluster.runId);
  const [theirs, ours] = await endOfBoth(play(real, id), play(embedded, id), differentMs);
  if (isFailure(ours)) {
    return { area, name: scenario.name, differences: differencesOf(theirs, ours), realPlays: 1, varied: [] };
  }
  const outcomes = new RealOutcomes(ours);
  if (!isFailure(theirs)) outcomes.add(theirs);
  const realPlays = await outcomes.askAgain(async (round) => {
    const isWanted = (seen: FinalObjects) => outcomes.isCompletedBy(seen);
    const shown = await endOfOne(play(real, `${id}-${round}`), { isOver: isFailure, isWanted, differentMs });
    return isFailure(shown) ? undefined : shown;
  });
  const differences = differencesOf(outcomes.closest() ?? theirs, ours);
  return { area, name: scenario.name, differences, realPlays, varied: outcomes.varied() };
}

const isFailure = (end: FinalObjects) => Object.hasOwn(end, "failure");

/** The end of one scenario on both clusters, which go on side by side. Where the real one has failed, ours still has to come to its end. */
async function endOfBoth(
  real: Promise<Played>,
  embedded: Promise<Played>,
  differentMs: number,
): Promise<[FinalObjects, FinalObjects]> {
  await using stack = new AsyncDisposableStack();
  const [theirs, ours] = await Promise.all([real, embedded]);
  stack.use(theirs);
  stack.use(ours);
  const look = (): Promise<[FinalObjects, FinalObjects]> => Promise.all([theirs.objects(), ours.objects()]);
  return await endOf(look, {
    isOver: ([, own]) => isFailure(own),
    isWanted: ([their, own]) => isDeepStrictEqual(their, own),
    differentMs,
  });
}

async function endOfOne(real: Promise<Played>, judge: Judge<FinalObjects>): Promise<FinalObjects> {
  await using theirs = await real;
  return await endOf(() => theirs.objects(), judge);
}

interface Judge<Seen> {
  /** Nothing more will come. */
  isOver(seen: Seen): boolean;
  isWanted(seen: Seen): boolean;
  readonly differentMs: number;
}

/** Of lists that are not of one length, what one has and the other has not says more than both of them. */
function differencesOf(theirs: FinalObjects, ours: FinalObjects): Difference[] {
  const keys = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])];
  return keys.flatMap((key) => {
    const [real, embedded] = [theirs[key] ?? [], ours[key] ?? []];
    if (real.length === embedded.length) return [...between(real, embedded, ` ${key}`)];
    return [...between(without(real, embedded), without(embedded, real), ` ${key}`)];
  });
}

function without(items: readonly unknown[], others: readonly unknown[]): unknown[] {
  return items.filter((item) => !others.some((other) => isDeepStrictEqual(item, other)));
}

interface Played extends AsyncDisposable {
  objects(): Promise<FinalObjects>;
}

/** A scenario that fails has ended in its failure, which is never the same on both sides. */
async function played<S extends Scene>(
  open: () => Promise<OpenScene & S>,
  scenario: Scenario<S>,
  runId: string,
): Promise<Played> {
  await using stack = new AsyncDisposableStack();
  const failure = (error: unknown): FinalObjects => ({
    failure: [error instanceof Error ? error.message : String(error), runId],
  });
  let objects: Played["objects"];
  try {
    const scene = stack.use(await open());
    await scenario.run(scene);
    objects = () => objectsOf(scene, scenario).catch(failure);
  } catch (error) {
    objects = async () => failure(error);
  }
  const owned = stack.move();
  return { objects, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** What is seen last: when it is as wanted and stays so, or when it stays as it is for long, or when the time is up. */
async function endOf<Seen>(look: () => Promise<Seen>, judge: Judge<Seen>): Promise<Seen> {
  const { isOver, isWanted, differentMs } = judge;
  const until = performance.now() + PATIENCE_MS;
  let last = await look();
  for (let stillSince = performance.now(); ; ) {
    const now = performance.now();
    const stillMs = now - stillSince;
    if (isOver(last) || stillMs > (isWanted(last) ? STILL_MS : differentMs) || now > until) return last;
    await sleep(STEP_MS);
    const next = await look();
    if (!isDeepStrictEqual(next, last)) stillSince = performance.now();
    last = next;
  }
}

async function inFlight<Item, Result>(
  items: readonly Item[],
  width: number,
  run: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const rest = items.entries();
  const worker = async () => {
    for (const [index, item] of rest) results[index] = await run(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
