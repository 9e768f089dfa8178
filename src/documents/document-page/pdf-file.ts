import type { PDFPageProxy } from 'unpdf/pdfjs'
import { findFolded, foldText } from '#contract/thai/fold-text.ts'
import { givenTo, type PdfPieces } from './pdf-pieces.ts'

/** A piece of text on a page, in points from its upper left corner. `y` is the base line. */
export type Piece = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export type PageText = { readonly width: number; readonly height: number; readonly pieces: readonly Piece[] }
/** Where something stands on a page, in points. */
export type Mark = Pick<Piece, 'x' | 'y' | 'width' | 'height'>

export type PdfFile = {
  readonly pageCount: number
  /** Width and height of a page, from 1, in points. */
  size(page: number): Promise<Pick<PageText, 'width' | 'height'>>
  /** Text of a page, from 1. */
  text(page: number): Promise<PageText>
  /** Draws a page as wide as the canvas; resolves when it is drawn, rejects when `signal` ends it. */
  draw(page: number, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void>
  close(): void
}

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

/**
 * Opens a PDF in the browser, from its bytes or piece by piece. The drawing code is 1.6 MB and comes with the first document; it runs nothing that stands in the file: no scripts, no forms, no links.
 * Rejects when it is no PDF, or when a piece cannot be had.
 */
export async function openPdf(source: ArrayBuffer | PdfPieces): Promise<PdfFile> {
  const { getDocument, PDFDataRangeTransport } = await import('unpdf/pdfjs')
  const options = { isEvalSupported: false, enableXfa: false, useSystemFonts: true }
  const { given, lost, stop } = await givenTo(source, PDFDataRangeTransport)
  const task = getDocument({ ...given, ...options })
  const orLost = <T>(wanted: Promise<T>): Promise<T> => Promise.race([wanted, lost])
  const close = () => {
    stop()
    void task.destroy()
  }
  const pdf = await orLost(task.promise).catch((error: unknown) => {
    close()
    throw error
  })
  const inTurn = drawsInTurn()
  return {
    pageCount: pdf.numPages,
    async size(number) {
      const { width, height } = (await orLost(pdf.getPage(number))).getViewport({ scale: 1 })
      return { width, height }
    },
    text: (number) => orLost(pdf.getPage(number).then(readText)),
    draw: (number, canvas, signal) =>
      inTurn(canvas, async () => {
        signal.throwIfAborted()
        const page = await orLost(pdf.getPage(number))
        signal.throwIfAborted()
        const viewport = page.getViewport({ scale: canvas.width / page.getViewport({ scale: 1 }).width })
        canvas.height = Math.round(viewport.height)
        const drawing = page.render({ canvas, viewport })
        signal.addEventListener('abort', () => drawing.cancel())
        await orLost(drawing.promise)
      }),
    close,
  }
}

async function readText(page: PDFPageProxy): Promise<PageText> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const pieces = items.flatMap((item): Piece[] => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , c, d, e, f] = item.transform as [number, number, number, number, number, number]
    const [x, y] = viewport.convertToViewportPoint(e, f) as [number, number]
    return [{ text: item.str, x, y, width: item.width, height: Math.hypot(c, d) }]
  })
  return { width: viewport.width, height: viewport.height, pieces: inOrder(pieces) }
}

/** Two pieces of text are one line when their heights on the page differ by less than this share of a letter. The order in the file does not help: e-GP draws filled-in values last. */
const SAME_LINE = 0.35

/** Line by line from above, each from the left: as the server reads them, and as somebody who selects them wants them. */
function inOrder(pieces: readonly Piece[]): Piece[] {
  const lines: Piece[][] = []
  for (const piece of pieces.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.y - piece.y) <= SAME_LINE * piece.height) line.push(piece)
    else lines.push([piece])
  }
  return lines.flatMap((line) => line.toSorted((a, b) => a.x - b.x))
}

/** Marks above and below a letter take no room of their own. */
const WITHOUT_WIDTH = /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g
const lettersOf = (text: string) => text.replace(WITHOUT_WIDTH, '').length

/** Where folded phrases stand on a page: one list of boxes for each place, as it may run over several pieces. */
export function placesOf({ pieces }: PageText, phrases: readonly string[]): Mark[][] {
  const starts: number[] = []
  let text = ''
  for (const piece of pieces) {
    starts.push(text.length)
    text += piece.text
  }
  const folded = foldText(text)
  const found = phrases.flatMap((phrase) => findFolded(folded, phrase)).toSorted((a, b) => a.from - b.from)
  return found.map(({ from, to }) =>
    pieces.flatMap((piece, at): Mark[] => {
      const start = starts[at]!
      const [begin, end] = [Math.max(0, from - start), Math.min(piece.text.length, to - start)]
      if (begin >= end) return []
      const letter = piece.width / Math.max(1, lettersOf(piece.text))
      const x = piece.x + lettersOf(piece.text.slice(0, begin)) * letter
      const width = Math.max(1, lettersOf(piece.text.slice(begin, end))) * letter
      return [{ x, width, y: piece.y, height: piece.height }]
    }),
  )
}
