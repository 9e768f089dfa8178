/** The first `length` characters of a text that somebody else wrote, which may be as long as they like, and an ellipsis where it is longer. */
export function shortened(text: string, length: number): string {
  const characters = [...text]
  return characters.length <= length ? text : `${characters.slice(0, length).join('')}…`
}
