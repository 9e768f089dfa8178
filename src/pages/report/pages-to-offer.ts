/** Page numbers to offer beside each other: the first, the last, and the ones around the present page. */
export function pagesToOffer(page: number, last: number): (number | 'gap')[] {
  const around = new Set([1, page - 1, page, page + 1, last].filter((to) => to >= 1 && to <= last))
  const pages = [...around].sort((a, b) => a - b)
  return pages.flatMap((to, index) => {
    const missing = to - (pages[index - 1] ?? 0) - 1
    // One page left out would take the room of its own number.
    if (missing === 1) return [to - 1, to]
    return missing > 1 ? ['gap' as const, to] : [to]
  })
}
