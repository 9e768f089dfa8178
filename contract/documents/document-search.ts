import { z } from 'zod/mini'
import { parseSearchExpression, type SearchNode } from '../search/search-grammar.ts'
import { MIN_FOLDED_PHRASE_LENGTH } from '../thai/fold-document-text.ts'
import { getFoldedPhrases, getRequiredFoldedPhrases } from './document-search-expression.ts'

/**
 * Limits and response of the full-text search in documents. It uses the common search grammar, evaluated per page and
 * ignoring spaces.
 */

export const MAX_COUNTED_PAGE_MATCHES = 1_000
export const MAX_RETURNED_PAGE_MATCHES = 20

/** Text of a page around the matches; `marks` are start and end offsets in `text`. */
export const documentExcerptSchema = z.object({
  text: z.string(),
  marks: z.array(z.object({ from: z.number(), to: z.number() })),
})
export type DocumentExcerpt = z.output<typeof documentExcerptSchema>

const pageHitSchema = z.object({
  page: z.number(),
  count: z.number(),
  excerpt: documentExcerptSchema,
  is_from_picture: z.boolean(),
})

export const documentMatchesSchema = z.object({ pages: z.array(pageHitSchema), count: z.number() })
export type DocumentMatches = z.output<typeof documentMatchesSchema>

/**
 * GET /documents?q=&project=: matching pages in all documents of the organisation. `total` stops at
 * `MAX_COUNTED_PAGE_MATCHES`.
 */
export const documentSearchSchema = z.object({
  total: z.number(),
  results: z.array(
    z.object({
      ...pageHitSchema.shape,
      document_id: z.string(),
      document_name: z.string(),
      project_id: z.string(),
      project_name: z.nullable(z.string()),
    }),
  ),
})
export type DocumentSearchResponse = z.output<typeof documentSearchSchema>

export type ParsedDocumentQuery =
  | { readonly ok: true; readonly node: SearchNode; readonly phrases: readonly string[] }
  | { readonly ok: false; readonly text: string }

const TOO_SHORT = `คำค้นในเอกสารต้องมีอย่างน้อย ${MIN_FOLDED_PHRASE_LENGTH} ตัวอักษร`

/** Parses a document search. `phrases` are the normalised texts to highlight, without the excluded ones. */
export function parseDocumentQuery(typed: string): ParsedDocumentQuery {
  const parsed = parseSearchExpression(typed)
  if (!parsed.ok) return { ok: false, text: ERROR_TEXTS[parsed.error.code] ?? 'อ่านคำค้นไม่ได้ ตรวจเครื่องหมายและวงเล็บ' }
  const isTooShort = getFoldedPhrases(parsed.node).some((phrase) => phrase.length < MIN_FOLDED_PHRASE_LENGTH)
  if (isTooShort) return { ok: false, text: TOO_SHORT }
  const phrases = getRequiredFoldedPhrases(parsed.node)
  // An expression with only exclusions would match nearly every page.
  if (phrases.length === 0) return { ok: false, text: 'ใส่คำที่ต้องมีอย่างน้อยหนึ่งคำ' }
  return { ok: true, node: parsed.node, phrases }
}

const ERROR_TEXTS: Readonly<Partial<Record<string, string>>> = { E_SHORT: TOO_SHORT, E_EMPTY: 'พิมพ์คำที่ต้องการค้นหา' }
