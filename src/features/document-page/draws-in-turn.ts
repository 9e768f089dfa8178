/** How far a canvas lies from what is seen, in pixels; of two at the same place the wider one, a page before its small picture. */
function farness(canvas: HTMLCanvasElement): number {
  const { top, bottom, width } = canvas.getBoundingClientRect()
  return Math.max(0, top - innerHeight, -bottom) - width / 1e4
}

/** A way to draw: one at a time, the nearest to what is seen first. Drawn beside each other, the page in view would come with the last of them. */
export function drawsInTurn() {
  const waiting: { readonly canvas: HTMLCanvasElement; readonly start: () => Promise<void> }[] = []
  let isDrawing = false
  async function next(): Promise<void> {
    if (isDrawing || waiting.length === 0) return
    isDrawing = true
    const [nearest] = waiting.toSorted((a, b) => farness(a.canvas) - farness(b.canvas))
    waiting.splice(waiting.indexOf(nearest!), 1)
    await nearest!.start()
    isDrawing = false
    void next()
  }
  return (canvas: HTMLCanvasElement, draw: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ canvas, start: () => draw().then(resolve, reject) })
      // Those that come into view together are compared.
      queueMicrotask(() => void next())
    })
}
