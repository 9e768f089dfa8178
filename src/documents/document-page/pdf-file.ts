import type { PDFPageProxy } from 'unpdf/pdfjs'
import { findPhraseInFoldedText, foldDocumentText } from '#contract/thai/fold-document-text.ts'
import type { DocumentFile } from '#src/documents/api/document-file.ts'

/** Text fragment of a page, in points from the upper left corner. `y` is the baseline. */
type PdfTextFragment = {
  readonly text: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}
export type PdfPageText = {
  readonly width: number
  readonly height: number
  readonly pieces: readonly PdfTextFragment[]
}
export type TextHighlightBox = Pick<PdfTextFragment, 'x' | 'y' | 'width' | 'height'>

export type PdfFile = {
  readonly pageCount: number
  readonly ratio: number
  /** Page numbers start at 1. */
  text(page: number): Promise<PdfPageText>
  draw(page: number, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void>
  close(): void
}

/** In px. At equal distance wider canvases come first, so that a page precedes its thumbnail. */
function viewportDistance(canvas: HTMLCanvasElement): number {
  const { top, bottom, width } = canvas.getBoundingClientRect()
  return Math.max(0, top - innerHeight, -bottom) - width / 1e4
}

/** Draws one canvas at a time, nearest to the viewport first; of concurrent ones the visible would finish last. */
export function createCanvasDrawQueue() {
  const waiting: { readonly canvas: HTMLCanvasElement; readonly start: () => Promise<void> }[] = []
  let isDrawing = false
  async function drawNext(): Promise<void> {
    if (isDrawing || waiting.length === 0) return
    isDrawing = true
    const [nearest] = waiting.toSorted((a, b) => viewportDistance(a.canvas) - viewportDistance(b.canvas))
    waiting.splice(waiting.indexOf(nearest!), 1)
    await nearest!.start()
    isDrawing = false
    void drawNext()
  }
  return (canvas: HTMLCanvasElement, draw: () => Promise<void>): Promise<void> =>
    new Promise((resolve, reject) => {
      waiting.push({ canvas, start: () => draw().then(resolve, reject) })
      queueMicrotask(() => void drawNext())
    })
}

/**
 * Opens a PDF from bytes or range requests. The rendering code (1.6 MB) loads with the first document. It executes none
 * of the file's scripts, forms or links. Rejects if the file is not a PDF or a chunk cannot be loaded.
 */
export async function openPdf(source: ArrayBuffer | DocumentFile): Promise<PdfFile> {
  const { getDocument, PDFDataRangeTransport } = await import('unpdf/pdfjs')
  const options = { isEvalSupported: false, enableXfa: false, useSystemFonts: true }
  const { input, loadFailure, stop } = await createPdfInput(source, PDFDataRangeTransport)
  const task = getDocument({ ...input, ...options })
  const orLoadFailure = <T>(promise: Promise<T>): Promise<T> => Promise.race([promise, loadFailure])
  const close = () => {
    stop()
    void task.destroy()
  }
  const readFirstPage = async () => {
    const pdf = await task.promise
    const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 })
    return { pdf, ratio: width / height }
  }
  const { pdf, ratio } = await orLoadFailure(readFirstPage()).catch((error: unknown) => {
    close()
    throw error
  })
  const inTurn = createCanvasDrawQueue()
  return {
    pageCount: pdf.numPages,
    ratio,
    text: (number) => orLoadFailure(pdf.getPage(number).then(readText)),
    draw: (number, canvas, signal) =>
      inTurn(canvas, async () => {
        signal.throwIfAborted()
        const page = await orLoadFailure(pdf.getPage(number))
        signal.throwIfAborted()
        const viewport = page.getViewport({ scale: canvas.width / page.getViewport({ scale: 1 }).width })
        canvas.height = Math.round(viewport.height)
        const drawing = page.render({ canvas, viewport })
        signal.addEventListener('abort', () => drawing.cancel())
        await orLoadFailure(drawing.promise)
      }),
    close,
  }
}

async function readText(page: PDFPageProxy): Promise<PdfPageText> {
  const viewport = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  const pieces = items.flatMap((item): PdfTextFragment[] => {
    if (!('str' in item) || item.str.trim() === '') return []
    const [, , c, d, e, f] = item.transform as [number, number, number, number, number, number]
    const [x, y] = viewport.convertToViewportPoint(e, f) as [number, number]
    return [{ text: item.str, x, y, width: item.width, height: Math.hypot(c, d) }]
  })
  return { width: viewport.width, height: viewport.height, pieces: sortByLine(pieces) }
}

/**
 * Fragments belong to one line if their baselines differ by less than this fraction of a letter's height. The order in
 * the file is unreliable, because e-GP draws filled-in values last.
 */
const SAME_LINE = 0.35

/** The reading order that the server uses, and the natural one for selection. */
function sortByLine(pieces: readonly PdfTextFragment[]): PdfTextFragment[] {
  const lines: PdfTextFragment[][] = []
  for (const piece of pieces.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1)
    if (line && Math.abs(line[0]!.y - piece.y) <= SAME_LINE * piece.height) line.push(piece)
    else lines.push([piece])
  }
  return lines.flatMap((line) => line.toSorted((a, b) => a.x - b.x))
}

/** Thai marks above and below letters, which have no width of their own. */
const WITHOUT_WIDTH = /[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]/g
const lettersOf = (text: string) => text.replace(WITHOUT_WIDTH, '').length

/** Phrases are normalised by `foldDocumentText`. A match is a list of boxes, as it may span several fragments. */
export function findPhraseHighlightBoxes({ pieces }: PdfPageText, phrases: readonly string[]): TextHighlightBox[][] {
  const starts: number[] = []
  let text = ''
  for (const piece of pieces) {
    starts.push(text.length)
    text += piece.text
  }
  const folded = foldDocumentText(text)
  const matches = phrases
    .flatMap((phrase) => findPhraseInFoldedText(folded, phrase))
    .toSorted((a, b) => a.from - b.from)
  return matches.map(({ from, to }) =>
    pieces.flatMap((piece, at): TextHighlightBox[] => {
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

const CHUNK_BYTES = 65_536
/** Delays before a failed chunk is requested again, in ms; after the last one the load fails. */
const RETRY_DELAYS_MS = [500, 2_000]

type Transport = typeof import('unpdf/pdfjs').PDFDataRangeTransport
type PdfOptions = Parameters<typeof import('unpdf/pdfjs').getDocument>[0] & object
type PdfInput = { readonly input: PdfOptions; readonly loadFailure: Promise<never>; readonly stop: () => void }

/** `data` must be a copy, because pdf.js detaches its input, and the bytes of a source belong to the cache. */
const wholeFile = (data: ArrayBuffer): PdfInput => ({
  input: { data },
  loadFailure: new Promise(() => undefined),
  stop: () => undefined,
})

/**
 * Returns the input for pdf.js. `loadFailure` rejects when a chunk cannot be loaded, because pdf.js would wait forever;
 * `stop` cancels further requests. Rejects if a small file cannot be loaded.
 */
async function createPdfInput(source: ArrayBuffer | DocumentFile, Transport: Transport): Promise<PdfInput> {
  if (!('read' in source)) return wholeFile(source.slice(0))
  const { bytes, first, read, loadRemainder } = source
  if (first.byteLength >= bytes) return wholeFile(first.slice(0))
  if (loadRemainder) return wholeFile(await new Blob([first, await loadRemainder()]).arrayBuffer())
  const cancelled = new AbortController()
  const { promise: loadFailure, reject } = Promise.withResolvers<never>()
  loadFailure.catch(() => undefined)
  const fetchPiece = async (from: number, to: number): Promise<ArrayBuffer> => {
    for (const pause of RETRY_DELAYS_MS) {
      try {
        return await read(from, to, cancelled.signal)
      } catch {
        await new Promise((resolve) => setTimeout(resolve, pause))
        cancelled.signal.throwIfAborted()
      }
    }
    return await read(from, to, cancelled.signal)
  }
  const range = new Transport(bytes, new Uint8Array(first.slice(0)))
  range.requestDataRange = (from, to) =>
    void fetchPiece(from, to).then((chunk) => range.onDataRange(from, new Uint8Array(chunk)), reject)
  // Fetch only the pages that the user views, because a scan can have 50 MB.
  const input: PdfOptions = { range, rangeChunkSize: CHUNK_BYTES, disableStream: true, disableAutoFetch: true }
  return { input, loadFailure, stop: () => cancelled.abort() }
}
