/** What the work threw; it is an error that it did not. */
export function refusalOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  throw new Error("It was not refused");
}
