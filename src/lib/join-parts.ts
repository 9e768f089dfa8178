/** Joins the parts that have text into a line such as `12 โครงการ · n=3`. */
export function joinParts(...parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}
