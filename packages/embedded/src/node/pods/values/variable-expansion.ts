/**
 * `$(NAME)` in commands, arguments and values becomes the variable's value; one that nobody knows stays as it is, and `$$` is a dollar
 * sign that means nothing.
 */
export function expanded(text: string, valueOf: (name: string) => string | undefined): string {
  return text.replaceAll(/\$(\$|\(([^)]*)\))/g, (whole, inner: string, name: string | undefined) => {
    if (inner === "$") return "$";
    return valueOf(name ?? "") ?? whole;
  });
}
