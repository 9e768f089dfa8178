import { getDocumentProxy } from 'unpdf'
import { MAX_DOCUMENT_PAGES, type UnreadableDocumentReason } from '#contract/documents/document.ts'
import { assemblePdfTextLines, type PdfTextPiece, toUprightPosition } from './assemble-pdf-text-lines.ts'
import { repairThaiMarks } from './thai-marks.ts'

/** Maximum characters per document. 500 dense pages have two million, so a longer file was crafted to be endless. */
const MAX_CHARACTERS = 4_000_000

const REPEATED_SECONDS = 5
const SECONDS_PER_DISTINCT_PAGE = 0.1

export type PdfPagesResult = { readonly pages: string[] } | { readonly reason: UnreadableDocumentReason }

type PdfItem = { str: string; transform: number[]; width: number; height: number } | { type: string }

function pieceOf(item: PdfItem): PdfTextPiece | undefined {
  if (!('str' in item) || item.str === '') return undefined
  const [, , c = 0, d = 0] = item.transform
  return {
    text: item.str,
    ...toUprightPosition(item.transform),
    width: item.width,
    height: item.height || Math.hypot(c, d),
  }
}

/**
 * Returns the text of each PDF page, lines ordered by position and Thai marks repaired. An unreadable page is empty; if
 * all are unreadable, the file is broken. Calls `onPageCount` as soon as the page count is available. Never throws.
 * @param bytes the file; ownership is transferred
 */
export async function readPdfPages(bytes: Uint8Array, onPageCount: (count: number) => void): Promise<PdfPagesResult> {
  let pdf: Awaited<ReturnType<typeof getDocumentProxy>>
  try {
    // Bytes, never a URL; no generated code, no system or embedded fonts, no warnings about broken content.
    pdf = await getDocumentProxy(bytes, {
      isEvalSupported: false,
      disableFontFace: true,
      useSystemFonts: false,
      verbosity: 0,
    })
  } catch (error) {
    return { reason: error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken' }
  }
  if (pdf.numPages > MAX_DOCUMENT_PAGES) return { reason: 'too-many-pages' }
  onPageCount(pdf.numPages)
  const pages: string[] = []
  const distinct = new Set<string>()
  const { user } = process.cpuUsage()
  let characters = 0
  let isAnyRead = false
  for (let number = 1; number <= pdf.numPages; number++) {
    try {
      const page = await pdf.getPage(number)
      const content = await page.getTextContent()
      const pieces = (content.items as PdfItem[]).map(pieceOf).filter((piece) => piece !== undefined)
      const text = repairThaiMarks(assemblePdfTextLines(pieces))
      page.cleanup()
      characters += text.length
      if (characters > MAX_CHARACTERS) return { reason: 'too-large' }
      pages.push(text)
      distinct.add(text)
      isAnyRead = true
      // Pages that share a content stream cost time but add no text, so only distinct pages extend the limit.
      if (process.cpuUsage().user - user > (REPEATED_SECONDS + SECONDS_PER_DISTINCT_PAGE * distinct.size) * 1_000_000)
        return { reason: 'time' }
    } catch {
      pages.push('')
    }
  }
  return isAnyRead ? { pages } : { reason: 'broken' }
}
