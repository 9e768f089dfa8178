import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import {
  type DocumentReading,
  documentReadingSchema,
  MOST_DOCUMENT_BYTES,
  type UnreadableReason,
} from '#contract/documents/document.ts'
import { parseAnswer, runConfined } from './confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'reading-process.ts')
/** The mark of a PDF stands within its first kilobyte. */
const HEAD_BYTES = 1024

const unreadable = (reason: UnreadableReason): DocumentReading => ({
  outcome: 'unreadable',
  reason,
  kind: 'other',
  pages: [],
  facts: [],
})

/** Why the file is refused before anything reads it; undefined when it may be read. */
async function refusal(file: FileHandle): Promise<UnreadableReason | undefined> {
  const stats = await file.stat()
  if (!stats.isFile()) return 'not-a-document'
  if (stats.size === 0) return 'empty'
  if (stats.size > MOST_DOCUMENT_BYTES) return 'too-large'
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead).includes('%PDF-') ? undefined : 'not-a-document'
}

/**
 * Reads a PDF: its kind, the text of its pages, its facts. The work is done in a process of its own (`confined-process.ts`), so a hostile file costs neither
 * memory nor time here: it comes back as `unreadable` with its reason. One call takes up to 512 MB and a core; the caller decides how many run at once.
 * @param file path of the file; it is opened for reading only
 * @throws the reason of `signal` when it ends first; the error of the system when the file cannot be opened.
 */
export async function readDocument(
  file: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<DocumentReading> {
  const handle = await open(file, 'r')
  try {
    const refused = await refusal(handle)
    if (refused) return unreadable(refused)
    const { answer, reason } = await runConfined(PROGRAM, handle, { signal })
    if (answer === undefined) return unreadable(reason ?? 'crashed')
    // The process has read a stranger's file: what it says is checked as any other input.
    const reading = documentReadingSchema.safeParse(parseAnswer(answer))
    return reading.success ? reading.data : unreadable('crashed')
  } finally {
    await handle.close()
  }
}
