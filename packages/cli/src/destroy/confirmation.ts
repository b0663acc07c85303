import { createInterface } from "node:readline/promises";

/** The cluster's id has to be typed: a `y` is typed too easily. Ctrl-C and the end of the input are a no. */
export async function isConfirmed(
  question: string,
  expected: string,
  { input, signal }: { readonly input: NodeJS.ReadableStream; readonly signal: AbortSignal },
): Promise<boolean> {
  const lines = createInterface({ input, output: process.stderr });
  // Without a signal of its own, a question whose input ends is never settled.
  const ended = new AbortController();
  lines.once("close", () => ended.abort());
  try {
    const answer = await lines.question(question, { signal: AbortSignal.any([signal, ended.signal]) });
    return answer.trim() === expected;
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
