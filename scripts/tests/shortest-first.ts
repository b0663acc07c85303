import { relative } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { checkout } from "../checkout.ts";
import { Durations } from "./durations.ts";
import { testFileOf } from "./test-file.ts";

/** Set by whoever wants the files that tell soonest to be first; else those that took longest are, which ends sooner with several workers. */
export const orderVariable = "STOWAGE_TEST_ORDER";

/** Files in the order of their usual durations, within each project. */
export class ShortestFirst extends BaseSequencer {
  readonly #durations = Durations.read();

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inOrder = await super.sort(files);
    const groupOf = ({ project }: TestSpecification) => project.config.sequence.groupOrder;
    const secondsOf = ({ moduleId }: TestSpecification) => {
      const file = testFileOf(relative(checkout, moduleId));
      return file === undefined ? 0 : this.#durations.of(file);
    };
    return inOrder.toSorted((a, b) => groupOf(a) - groupOf(b) || secondsOf(a) - secondsOf(b));
  }
}
