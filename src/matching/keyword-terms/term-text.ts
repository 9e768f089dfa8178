import {
  type KeywordTerm,
  MAX_TERM_LENGTH,
  MAX_TERMS,
  type TermSource,
  takesPart,
} from '#contract/matching/keyword-term.ts'
import { SEARCH_LIMITS } from '#contract/search/search-grammar.ts'
import { searchForm } from '#contract/thai/thai-text.ts'
import { countText } from '#src/lib/money-text.ts'

export type TermList = 'ai_include' | 'ai_exclude'

/** Where a term comes from, as the person who ticks it reads it. */
export const SOURCE_LABELS: Readonly<Record<TermSource, string>> = {
  literal: 'คำที่คุณพิมพ์',
  learned: 'เรียนรู้จากชื่อโครงการ e-GP',
  dictionary: 'จากพจนานุกรมคำพ้องที่ตรวจแล้ว',
  provider: 'จากผู้ให้บริการภายนอกที่ตั้งค่าไว้',
  user: 'เพิ่มโดยคนในองค์กร',
}

/** `.97`; nothing for what is the word itself or was typed. */
export function similarityText({ similarity }: Pick<KeywordTerm, 'similarity'>): string {
  return similarity >= 0.995 ? '' : similarity.toFixed(2).slice(1)
}

/** How often real titles hold the term: counts of the titles that the system learned from. */
export function countLabel({ title_count }: Pick<KeywordTerm, 'title_count'>): string {
  return title_count === null ? 'ไม่เคยพบในชื่อโครงการที่เรียนรู้' : `พบใน ${countText(title_count)} ชื่อโครงการ`
}

/** Closest first; of equals in the order in which they came. A tick never moves a term from under the finger. */
export function byCloseness(terms: readonly KeywordTerm[]): KeywordTerm[] {
  return terms.toSorted((one, other) => other.similarity - one.similarity)
}

/** Terms to be judged: not the word itself, nor the own word of one of its sides. */
export function judgedTerms(terms: readonly KeywordTerm[]): KeywordTerm[] {
  return terms.filter(({ source }) => source !== 'literal')
}

export type Side = { readonly facet: number; readonly of: string; readonly terms: readonly KeywordTerm[] }

/** The sides of a keyword of several concepts, each with what its own word is like: `ปรับปรุง ≈ ซ่อมสร้าง`. */
export function sidesOf(terms: readonly KeywordTerm[]): Side[] {
  const facets = [...new Set(terms.map(({ facet }) => facet))].filter((facet) => facet > 0).sort((a, b) => a - b)
  return facets.map((facet) => {
    const own = terms.filter((term) => term.facet === facet)
    return {
      facet,
      of: own.find(({ source }) => source === 'literal')?.term ?? own[0]!.term,
      terms: byCloseness(own.filter(({ source }) => source !== 'literal')),
    }
  })
}

/** Terms that hits are looked for by, the keyword itself among them. */
export function activeTerms(list: TermList, terms: readonly KeywordTerm[]): KeywordTerm[] {
  return terms.filter((term) => takesPart(list, term))
}

/** Why a term of one's own cannot be added, or undefined. What stands there unticked is ticked instead. */
export function ownTermProblem(typed: string, list: TermList, terms: readonly KeywordTerm[]): string | undefined {
  const form = searchForm(typed)
  if (form.length < SEARCH_LIMITS.termLength) return `คำต้องมีอย่างน้อย ${SEARCH_LIMITS.termLength} ตัวอักษร`
  if (form.length > MAX_TERM_LENGTH) return `คำยาวได้ไม่เกิน ${MAX_TERM_LENGTH} ตัวอักษร`
  if (/##|\|\||<</.test(typed)) return 'ใช้เครื่องหมาย ## || << ไม่ได้ เพิ่มทีละคำ'
  const same = sameTerm(typed, terms)
  if (same) return takesPart(list, same) ? 'มีคำนี้อยู่แล้ว' : undefined
  if (terms.length >= MAX_TERMS) return `ครบ ${MAX_TERMS} คำแล้ว`
  return undefined
}

/** The term that is written like this one, of those that find a title alone. */
export function sameTerm(typed: string, terms: readonly KeywordTerm[]): KeywordTerm | undefined {
  const form = searchForm(typed)
  return terms.find(({ term, facet }) => facet === 0 && searchForm(term) === form)
}
