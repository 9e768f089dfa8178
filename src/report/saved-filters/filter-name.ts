import { sameName } from '#contract/account/label.ts'
import { MAX_FILTER_NAME, type SavedFilter } from '#contract/account/saved-filter.ts'
import { type FilterText, plainText } from '#contract/report/filter-text.ts'

export function spokenFilterName(words: readonly FilterText[]): string {
  return words
    .map(({ label, value, negated }) => [label, negated && 'ไม่ใช่', plainText(value)].filter(Boolean).join(' '))
    .join(' · ')
}

/** Suggests a name from as many filters as fit. A single overlong part is cut at a grapheme boundary. */
export function suggestedName(words: readonly FilterText[]): string {
  let name = ''
  for (const { value, negated } of words) {
    const part = plainText(negated ? `ไม่ใช่ ${value}` : value)
    const next = name === '' ? part : `${name} · ${part}`
    if (next.length > MAX_FILTER_NAME) break
    name = next
  }
  if (name !== '' || words.length === 0) return name
  let cut = ''
  for (const { segment } of new Intl.Segmenter('th').segment(plainText(words[0]?.value ?? ''))) {
    if (cut.length + segment.length > MAX_FILTER_NAME) break
    cut += segment
  }
  return cut.trim()
}

/** Validates a name with the same message as the server; undefined if valid. */
export function nameProblem(name: string): string | undefined {
  const trimmed = name.trim()
  if (trimmed === '') return 'ตั้งชื่อตัวกรอง'
  return trimmed.length > MAX_FILTER_NAME ? `ชื่อตัวกรองยาวได้ไม่เกิน ${MAX_FILTER_NAME} ตัวอักษร` : undefined
}

/** Returns another filter whose name looks the same to a reader. */
export function namesake(name: string, filters: readonly SavedFilter[], exceptId?: string): SavedFilter | undefined {
  return filters.find((filter) => filter.id !== exceptId && sameName(filter.filterName, name))
}
