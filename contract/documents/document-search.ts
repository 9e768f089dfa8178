import { z } from 'zod/mini'
import { parseSearchExpression, type SearchNode } from '../search/search-grammar.ts'
import { foldText, SHORTEST_PHRASE } from '../thai/fold-text.ts'

/** Full-text search in documents: the common search grammar, evaluated per page, ignoring spaces. */

/** Counting stops here; the screen shows when there are more. */
export const MOST_HITS = 1_000
/** Pages per response, newest documents first. */
export const HITS_SHOWN = 20

/** Text of a page around the matches; `marks` are start and end offsets in `text`. */
export const excerptSchema = z.object({
  text: z.string(),
  marks: z.array(z.object({ from: z.number(), to: z.number() })),
})
export type Excerpt = z.output<typeof excerptSchema>

const pageHitSchema = z.object({
  page: z.number(),
  count: z.number(),
  excerpt: excerptSchema,
  /** The text comes from OCR and may contain errors. */
  is_from_picture: z.boolean(),
})
export type PageHit = z.output<typeof pageHitSchema>

export const documentHitsSchema = z.object({ pages: z.array(pageHitSchema), count: z.number() })
export type DocumentHits = z.output<typeof documentHitsSchema>

/** GET /documents?q=&project=: pages of all documents of the organisation. `total` stops at `MOST_HITS`. */
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
export type DocumentSearch = z.output<typeof documentSearchSchema>

export type DocumentQuestion =
  | { readonly ok: true; readonly node: SearchNode; readonly phrases: readonly string[] }
  | { readonly ok: false; readonly text: string }

const TOO_SHORT = `คำค้นในเอกสารต้องมีอย่างน้อย ${SHORTEST_PHRASE} ตัวอักษร`

/** `phrases`: folded texts to highlight, without excluded ones. */
export function readDocumentQuestion(typed: string): DocumentQuestion {
  const parsed = parseSearchExpression(typed)
  if (!parsed.ok) return { ok: false, text: SEARCH_TEXTS[parsed.error.code] ?? 'อ่านคำค้นไม่ได้ ตรวจเครื่องหมายและวงเล็บ' }
  const phrases = phrasesOf(parsed.node)
  if (phrases.all.some((phrase) => phrase.length < SHORTEST_PHRASE)) return { ok: false, text: TOO_SHORT }
  // A pure exclusion would match every page.
  if (phrases.wanted.length === 0) return { ok: false, text: 'ใส่คำที่ต้องมีอย่างน้อยหนึ่งคำ' }
  return { ok: true, node: parsed.node, phrases: [...new Set(phrases.wanted)] }
}

const SEARCH_TEXTS: Readonly<Partial<Record<string, string>>> = { E_SHORT: TOO_SHORT, E_EMPTY: 'พิมพ์คำที่ต้องการค้นหา' }

function phrasesOf(node: SearchNode): { wanted: string[]; all: string[] } {
  if (node.kind === 'term') {
    const { folded } = foldText(node.text)
    return { wanted: [folded], all: [folded] }
  }
  if (node.kind === 'not') {
    const keep = node.keep === null ? { wanted: [], all: [] } : phrasesOf(node.keep)
    return { wanted: keep.wanted, all: [...keep.all, ...phrasesOf(node.drop).all] }
  }
  const parts = node.parts.map(phrasesOf)
  return { wanted: parts.flatMap(({ wanted }) => wanted), all: parts.flatMap(({ all }) => all) }
}
