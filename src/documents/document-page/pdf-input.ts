export type PdfRangeSource = {
  readonly bytes: number
  readonly first: ArrayBuffer
  readonly read: (from: number, to: number, signal: AbortSignal) => Promise<ArrayBuffer>
  readonly loadRemainder?: (() => Promise<ArrayBuffer>) | undefined
}

const CHUNK_BYTES = 65_536
/** Delays before a failed chunk is requested again, in ms; after the last one the load fails. */
const RETRY_DELAYS_MS = [500, 2_000]

type Transport = typeof import('unpdf/pdfjs').PDFDataRangeTransport
type PdfOptions = Parameters<typeof import('unpdf/pdfjs').getDocument>[0] & object
type PdfInput = { readonly input: PdfOptions; readonly loadFailure: Promise<never>; readonly stop: () => void }

const wholeFile = (data: ArrayBuffer): PdfInput => ({
  input: { data },
  loadFailure: new Promise(() => undefined),
  stop: () => undefined,
})

/**
 * Joins the first and the remaining bytes in a new buffer, because pdf.js detaches its input and the first bytes belong
 * to the cache.
 */
async function joinBuffers(first: ArrayBuffer, loadRemainder: () => Promise<ArrayBuffer>): Promise<ArrayBuffer> {
  const remainder = await loadRemainder()
  const joined = new Uint8Array(first.byteLength + remainder.byteLength)
  joined.set(new Uint8Array(first))
  joined.set(new Uint8Array(remainder), first.byteLength)
  return joined.buffer
}

/**
 * Returns the input for pdf.js. `loadFailure` rejects when a chunk cannot be loaded, because pdf.js would wait forever;
 * `stop` cancels further requests. Rejects if a small file cannot be loaded.
 */
export async function createPdfInput(source: ArrayBuffer | PdfRangeSource, Transport: Transport): Promise<PdfInput> {
  if (!('read' in source)) return wholeFile(source)
  const { bytes, first, read, loadRemainder } = source
  if (first.byteLength >= bytes) return wholeFile(first.slice(0))
  if (loadRemainder) return wholeFile(await joinBuffers(first, loadRemainder))
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
