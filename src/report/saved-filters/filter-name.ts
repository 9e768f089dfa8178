import { isSameDisplayName } from '#contract/account/label.ts'
import { MAX_SAVED_FILTER_NAME_LENGTH, type SavedFilter } from '#contract/account/saved-filter.ts'
import { type FilterDisplayText, spellOutSearchOperators } from '#contract/report/filter-text.ts'

export function buildAccessibleSavedFilterName(words: readonly FilterDisplayText[]): string {
  return words
    .map(({ label, value, negated }) =>
      [label, negated && 'ไม่ใช่', spellOutSearchOperators(value)].filter(Boolean).join(' '),
    )
    .join(' · ')
}

/** Suggests a name from as many filters as fit. A single part that is too long is cut at a grapheme boundary. */
export function suggestSavedFilterName(words: readonly FilterDisplayText[]): string {
  let name = ''
  for (const { value, negated } of words) {
    const part = spellOutSearchOperators(negated ? `ไม่ใช่ ${value}` : value)
    const longerName = name === '' ? part : `${name} · ${part}`
    if (longerName.length > MAX_SAVED_FILTER_NAME_LENGTH) break
    name = longerName
  }
  if (name !== '' || words.length === 0) return name
  let cut = ''
  for (const { segment } of new Intl.Segmenter('th').segment(spellOutSearchOperators(words[0]?.value ?? ''))) {
    if (cut.length + segment.length > MAX_SAVED_FILTER_NAME_LENGTH) break
    cut += segment
  }
  return cut.trim()
}

export function findSavedFilterWithSameName(
  name: string,
  filters: readonly SavedFilter[],
  exceptId?: string,
): SavedFilter | undefined {
  return filters.find((filter) => filter.id !== exceptId && isSameDisplayName(filter.filterName, name))
}
