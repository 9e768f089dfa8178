import { type FileHandle, open } from 'node:fs/promises'
import path from 'node:path'
import {
  type DocumentReadResult,
  documentReadResultSchema,
  MAX_DOCUMENT_BYTES,
  type UnreadableDocumentReason,
} from '#contract/documents/document.ts'
import { parseSandboxedProcessOutput, runSandboxedProcess } from './confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'reading-process.ts')
/** Bytes to check for the PDF signature, which is within the first kilobyte. */
const HEAD_BYTES = 1024

const unreadable = (reason: UnreadableDocumentReason): DocumentReadResult => ({
  outcome: 'unreadable',
  reason,
  kind: 'other',
  pages: [],
  facts: [],
})

async function findRejection(file: FileHandle): Promise<UnreadableDocumentReason | undefined> {
  const stats = await file.stat()
  if (!stats.isFile()) return 'not-a-document'
  if (stats.size === 0) return 'empty'
  if (stats.size > MAX_DOCUMENT_BYTES) return 'too-large'
  const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead).includes('%PDF-') ? undefined : 'not-a-document'
}

/**
 * Reads a PDF: kind, page texts and facts. Runs in a separate process (`confined-process.ts`), so a hostile file costs
 * this process neither memory nor time and is returned as `unreadable` with a reason. A call uses up to 512 MB and one
 * core; the caller limits concurrency.
 * @param file path of the file, opened read-only
 * @throws the reason of `signal` when the signal aborts first; the system error when the file cannot be opened.
 */
export async function readDocument(
  file: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<DocumentReadResult> {
  const handle = await open(file, 'r')
  try {
    const refused = await findRejection(handle)
    if (refused) return unreadable(refused)
    const { answer: output, reason } = await runSandboxedProcess(PROGRAM, handle, { signal })
    if (output === undefined) return unreadable(reason ?? 'crashed')
    // The process has parsed an untrusted file, so its output is validated like any other input.
    const reading = documentReadResultSchema.safeParse(parseSandboxedProcessOutput(output))
    return reading.success ? reading.data : unreadable('crashed')
  } finally {
    await handle.close()
  }
}
