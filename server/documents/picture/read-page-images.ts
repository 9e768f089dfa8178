import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { z } from 'zod/mini'
import { maskPersonIds } from '#contract/catalogue/natural-person.ts'
import {
  DOCUMENT_KINDS,
  documentFactSchema,
  UNREADABLE_DOCUMENT_REASONS,
  type UnreadableDocumentReason,
} from '#contract/documents/document.ts'
import { parseSandboxedProcessOutput, runSandboxedProcess } from '#server/documents/confined-process.ts'
import { repairThaiMarks } from '#server/documents/text/thai-marks.ts'
import type { findOcrFacts } from './find-ocr-facts.ts'
import { recogniseText, type TesseractBinary } from './tesseract.ts'

const PROGRAM = path.join(import.meta.dirname, 'picture-process.ts')
const FACTS_PROGRAM = path.join(import.meta.dirname, 'facts-process.ts')

const answerSchema = z.union([
  z.object({ outcome: z.enum(['drawn', 'empty']) }),
  z.object({
    reason: z.enum(
      Object.keys(UNREADABLE_DOCUMENT_REASONS) as [UnreadableDocumentReason, ...UnreadableDocumentReason[]],
    ),
  }),
])

const factsSchema = z.object({ kind: z.enum(DOCUMENT_KINDS), facts: z.array(documentFactSchema) })

export type OcrResult = { readonly text: string } | { readonly reason: UnreadableDocumentReason }

const tidied = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line, at, all) => line !== '' || (at > 0 && all[at - 1] !== ''))
    .join('\n')
    .trim()

/**
 * Reads the text in the images of one page: rendered in a separate process (`confined-process.ts`), recognised by
 * tesseract, Thai marks repaired. A page without images yields empty text. At 300 dpi, 1 to 2 of 100 letters and 20 to
 * 50 of 100 digits are wrong, so a number or date from OCR needs confirmation.
 * @param file path of a PDF, JPEG or PNG
 * @param page 1-based
 * @throws the reason of `signal` when the signal aborts first; the system error when the file cannot be opened.
 */
export async function readPageImages(
  tesseract: TesseractBinary,
  { file, page }: { readonly file: string; readonly page: number },
  signal?: AbortSignal,
): Promise<OcrResult> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-picture-'))
  const handle = await open(file, 'r')
  try {
    const { answer: output, reason } = await runSandboxedProcess(PROGRAM, handle, {
      signal,
      writableFolder: folder,
      args: [String(page)],
    })
    if (output === undefined) return { reason: reason ?? 'crashed' }
    const rendering = answerSchema.safeParse(parseSandboxedProcessOutput(output))
    if (!rendering.success) return { reason: 'crashed' }
    if ('reason' in rendering.data) return rendering.data
    if (rendering.data.outcome === 'empty') return { text: '' }
    const recognised = await recogniseText(tesseract, path.join(folder, 'page.pgm'), signal)
    return 'reason' in recognised ? recognised : { text: maskPersonIds(tidied(repairThaiMarks(recognised.text))) }
  } finally {
    await handle.close()
    await rm(folder, { recursive: true, force: true })
  }
}

export async function readOcrFacts(
  pages: readonly string[],
  signal?: AbortSignal,
): Promise<ReturnType<typeof findOcrFacts> | undefined> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tamngan-picture-'))
  try {
    const file = path.join(folder, 'pages.json')
    await writeFile(file, JSON.stringify(pages))
    const handle = await open(file, 'r')
    try {
      const { answer: output } = await runSandboxedProcess(FACTS_PROGRAM, handle, { signal })
      return output === undefined ? undefined : factsSchema.safeParse(parseSandboxedProcessOutput(output)).data
    } finally {
      await handle.close()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
