/** Reads what the server says of itself on `/metrics`. The answer gives one figure by its name; NaN where there is none. */
export async function readFigures(base: string): Promise<(name: string) => number> {
  const text = await fetch(`${base}/metrics`).then((answer) => answer.text())
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1] ?? Number.NaN)
}
