import { z } from 'zod/mini'
import { parseSearchExpression, type SearchNode } from '../search/search-grammar.ts'
import { foldText, SHORTEST_PHRASE } from '../thai/fold-text.ts'

/** Search in the text of documents: the grammar of every other search, on one page at a time, blind to blanks. */

/** Most places that are counted; a search that finds more says so. */
export const MOST_HITS = 1_000
/** Pages of one answer, the newest documents first. */
export const HITS_SHOWN = 20

/** A piece of a page around what was found: `marks` are places in `text`, begin and end. */
export const excerptSchema = z.object({
  text: z.string(),
  marks: z.array(z.object({ from: z.number(), to: z.number() })),
})
export type Excerpt = z.output<typeof excerptSchema>

const pageHitSchema = z.object({
  page: z.number(),
  /** Places on this page. */
  count: z.number(),
  excerpt: excerptSchema,
  /** Its text was read from a picture: letters of it may be wrong. */
  is_from_picture: z.boolean(),
})
export type PageHit = z.output<typeof pageHitSchema>

/** GET /documents/{id}/hits?q= */
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

/** Parses what somebody typed into a search of documents. `phrases`: folded texts to highlight, without the excluded ones. */
export function readDocumentQuestion(typed: string): DocumentQuestion {
  const parsed = parseSearchExpression(typed)
  if (!parsed.ok) return { ok: false, text: SEARCH_TEXTS[parsed.error.code] ?? 'อ่านคำค้นไม่ได้ ตรวจเครื่องหมายและวงเล็บ' }
  const phrases = phrasesOf(parsed.node)
  if (phrases.all.some((phrase) => phrase.length < SHORTEST_PHRASE)) return { ok: false, text: TOO_SHORT }
  // Everything but a word is every page of everything: nothing to look for.
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
