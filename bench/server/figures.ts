/** Reads `/metrics`. The returned function gives one figure by its name; NaN if it is absent. */
export async function fetchMetrics(base: string): Promise<(name: string) => number> {
  const text = await fetch(`${base}/metrics`).then((answer) => answer.text())
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}
