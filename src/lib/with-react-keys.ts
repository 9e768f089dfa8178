/**
 * Pairs each item with a React key, for lists whose items are identified only by their text. The key is the text,
 * preceded by the number of earlier items with the same text.
 */
export function withReactKeys<T>(items: readonly T[], textOf: (item: T) => string): { key: string; item: T }[] {
  const counts = new Map<string, number>()
  return items.map((item) => {
    const text = textOf(item)
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    return { key: `${count} ${text}`, item }
  })
}
