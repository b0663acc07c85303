const value = /\{\{-?\s*\.Value\s*-?\}\}/g;

/** Text with `{{ .Value }}` in it, the one thing of Go's templates that has a use here; undefined when it has others. */
export function compileTemplate(template: string): ((value: string) => string) | undefined {
  const pieces = template.split(value);
  if (pieces.some((piece) => piece.includes("{{"))) return undefined;
  return (replacement) => pieces.join(replacement);
}
