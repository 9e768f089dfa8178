import { open } from 'node:fs/promises'
import path from 'node:path'
import { type BundleReading, bundleReadingSchema, type UnreadableReason } from '#contract/documents/document.ts'
import { parseAnswer, runConfined } from '#server/documents/confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'unpacking-process.ts')
/** Real bundles have 1 to 10 MB; some are reported with 512. */
const MOST_BUNDLE_BYTES = 200 * 2 ** 20
/** The first entry, or the end of a bundle without any. */
const MARKS = ['PK\u0003\u0004', 'PK\u0005\u0006']

const unreadable = (reason: UnreadableReason): BundleReading => ({ outcome: 'unreadable', reason, members: [] })

/**
 * Unpacks the documents of a ZIP into `folder`, which must be empty and the caller's to delete, also when nothing could be read: `0.pdf`, `1.pdf` … At most
 * 200 entries, 200 MB in all, each packed at most 200 times smaller. The work is done in a process of its own that can write nowhere else.
 * @throws the reason of `signal` when it ends first; the error of the system when the file cannot be opened.
 */
export async function unpackBundle(
  file: string,
  folder: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<BundleReading> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return unreadable('not-a-document')
    if (stats.size === 0) return unreadable('empty')
    if (stats.size > MOST_BUNDLE_BYTES) return unreadable('too-large')
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    if (!MARKS.includes(buffer.toString('latin1'))) return unreadable('not-a-document')
    const { answer, reason } = await runConfined(PROGRAM, handle, { signal, writes: folder })
    if (answer === undefined) return unreadable(reason ?? 'crashed')
    const reading = bundleReadingSchema.safeParse(parseAnswer(answer))
    return reading.success ? reading.data : unreadable('crashed')
  } finally {
    await handle.close()
  }
}
