import { StowageError } from "@stowage/machinery";
import { describe, expect, test } from "vitest";
import { failureText } from "./failure-text.ts";

describe("a failure, as conditions tell it,", () => {
  test.each<[string, unknown, string]>([
    [
      "has the step that was given with it",
      new StowageError("CLOUD_CONFIG_INVALID", "Secret a/b has no key c", { nextStep: "Put it there." }),
      "Secret a/b has no key c. Put it there.",
    ],
    [
      "has the catalogue's step where there is no other",
      new StowageError("IMAGE_VARIABLE_MISSING", "X is not set"),
      "X is not set. Set the variable that the message names on the operator's Deployment.",
    ],
    [
      "is left alone when it is made of others",
      new StowageError("STATIC_RESOURCES_FAILED", "a: no\nb: no"),
      "a: no\nb: no",
    ],
    ["of somebody else's code is told as it is", new Error("no"), "no"],
    ["that is no error at all is told too", "no", "no"],
  ])("%s", (_, error, text) => {
    expect(failureText(error)).toBe(text);
  });
});
