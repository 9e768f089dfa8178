import { open } from 'node:fs/promises'
import path from 'node:path'
import {
  type BundleUnpackResult,
  bundleUnpackResultSchema,
  type UnreadableDocumentReason,
} from '#contract/documents/document.ts'
import { parseSandboxedProcessOutput, runSandboxedProcess } from '#server/documents/confined-process.ts'

const PROGRAM = path.join(import.meta.dirname, 'unpacking-process.ts')
/** Real bundles are 1 to 10 MB, although some are reported to have 512 MB. */
const MAX_BUNDLE_BYTES = 200 * 2 ** 20
/** Signature of a local file header, or of the end of the central directory for an empty ZIP. */
const ZIP_SIGNATURES = ['PK\u0003\u0004', 'PK\u0005\u0006']

const unreadable = (reason: UnreadableDocumentReason): BundleUnpackResult => ({
  outcome: 'unreadable',
  reason,
  members: [],
})

/**
 * Unpacks the PDFs of a ZIP into `folder` as `0.pdf`, `1.pdf` … The folder must be empty; the caller deletes it, also
 * after failures. Limits: 200 entries, 200 MB in total, compression ratio 200. Runs in a separate process that can
 * write nowhere else.
 * @throws the reason of `signal` when the signal aborts first; the system error when the file cannot be opened.
 */
export async function unpackBundle(
  file: string,
  folder: string,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<BundleUnpackResult> {
  const handle = await open(file, 'r')
  try {
    const stats = await handle.stat()
    if (!stats.isFile()) return unreadable('not-a-document')
    if (stats.size === 0) return unreadable('empty')
    if (stats.size > MAX_BUNDLE_BYTES) return unreadable('too-large')
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    if (!ZIP_SIGNATURES.includes(buffer.toString('latin1'))) return unreadable('not-a-document')
    const { answer: output, reason } = await runSandboxedProcess(PROGRAM, handle, { signal, writableFolder: folder })
    if (output === undefined) return unreadable(reason ?? 'crashed')
    const reading = bundleUnpackResultSchema.safeParse(parseSandboxedProcessOutput(output))
    return reading.success ? reading.data : unreadable('crashed')
  } finally {
    await handle.close()
  }
}
