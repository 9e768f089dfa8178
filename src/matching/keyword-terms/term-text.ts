import {
  isKeywordTermActive,
  type KeywordTerm,
  type KeywordTermSource,
  MAX_KEYWORD_TERM_LENGTH,
  MAX_TERMS_PER_KEYWORD,
} from '#contract/matching/keyword-term.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { formatCount } from '#contract/thai/thai-number.ts'
import { toNormalisedSearchText } from '#contract/thai/thai-text.ts'

export type AiTermListCode = 'ai_include' | 'ai_exclude'

export const KEYWORD_TERM_SOURCE_LABELS: Readonly<Record<KeywordTermSource, string>> = {
  literal: 'คำที่คุณพิมพ์',
  learned: 'เรียนรู้จากชื่อโครงการ e-GP',
  dictionary: 'จากพจนานุกรมคำพ้องที่ตรวจแล้ว',
  provider: 'จากผู้ให้บริการภายนอกที่ตั้งค่าไว้',
  user: 'เพิ่มโดยคนในองค์กร',
}

export const getTermKey = ({ term, facet }: Pick<KeywordTerm, 'term' | 'facet'>): string => `${facet} ${term}`

/** Formats the similarity, e.g. `.97`; an empty string for typed terms and the word itself. */
export function formatTermSimilarity({ similarity }: Pick<KeywordTerm, 'similarity'>): string {
  return similarity >= 0.995 ? '' : similarity.toFixed(2).slice(1)
}

export function formatTermTitleCount({ title_count }: Pick<KeywordTerm, 'title_count'>): string {
  return title_count === null ? 'ไม่เคยพบในชื่อโครงการที่เรียนรู้' : `พบใน ${formatCount(title_count)} ชื่อโครงการ`
}

/** Returns the terms to review: all except the keyword itself and the source word of each side. */
export function selectKeywordTermsToReview(terms: readonly KeywordTerm[]): KeywordTerm[] {
  return terms.filter(({ source }) => source !== 'literal')
}

/** Returns the sides of a multi-concept keyword, each with similar terms: `ปรับปรุง ≈ ซ่อมสร้าง`. */
export function getKeywordConcepts(terms: readonly KeywordTerm[]) {
  const facets = [...new Set(terms.map(({ facet }) => facet))].filter((facet) => facet > 0).sort((a, b) => a - b)
  return facets.map((facet) => {
    const facetTerms = terms.filter((term) => term.facet === facet)
    return {
      facet,
      of: facetTerms.find(({ source }) => source === 'literal')?.term ?? facetTerms[0]!.term,
      // By similarity, regardless of ticks, so that a toggled term does not move.
      terms: selectKeywordTermsToReview(facetTerms).toSorted((a, b) => b.similarity - a.similarity),
    }
  })
}

export function selectActiveKeywordTerms(list: AiTermListCode, terms: readonly KeywordTerm[]): KeywordTerm[] {
  return terms.filter((term) => isKeywordTermActive(list, term))
}

/** Returns why a typed term cannot be added, or undefined. An existing unticked term is ticked instead. */
export function findAddKeywordTermProblem(
  typed: string,
  list: AiTermListCode,
  terms: readonly KeywordTerm[],
): string | undefined {
  const form = toNormalisedSearchText(typed)
  if (form.length < SEARCH_LIMITS.termLength) return `คำต้องมีอย่างน้อย ${SEARCH_LIMITS.termLength} ตัวอักษร`
  if (form.length > MAX_KEYWORD_TERM_LENGTH) return `คำยาวได้ไม่เกิน ${MAX_KEYWORD_TERM_LENGTH} ตัวอักษร`
  if (/##|\|\||<</.test(typed)) return 'ใช้เครื่องหมาย ## || << ไม่ได้ เพิ่มทีละคำ'
  const existing = findEquivalentKeywordTerm(typed, terms)
  if (existing) return isKeywordTermActive(list, existing) ? 'มีคำนี้อยู่แล้ว' : undefined
  if (terms.length >= MAX_TERMS_PER_KEYWORD) return `ครบ ${MAX_TERMS_PER_KEYWORD} คำแล้ว`
  return undefined
}

export function findEquivalentKeywordTerm(typed: string, terms: readonly KeywordTerm[]): KeywordTerm | undefined {
  const form = toNormalisedSearchText(typed)
  return terms.find(({ term, facet }) => facet === 0 && toNormalisedSearchText(term) === form)
}
