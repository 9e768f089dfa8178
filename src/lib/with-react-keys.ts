/** Pairs items identified only by their text with a key: the text after the number of earlier items with it. */
export function withReactKeys<T>(items: readonly T[], textOf: (item: T) => string): { key: string; item: T }[] {
  const counts = new Map<string, number>()
  return items.map((item) => {
    const text = textOf(item)
    const count = counts.get(text) ?? 0
    counts.set(text, count + 1)
    return { key: `${count} ${text}`, item }
  })
}
