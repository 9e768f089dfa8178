import { findKeywordProblem, toKeywordKey } from '#contract/matching/keyword.ts'
import type { ProjectToMatch } from '#server/matching/compile-match-rules.ts'
import { compileKeywordMatcher } from '#server/platform/text/keyword-matcher.ts'
import { listTitlePieces } from './title-pieces.ts'

const MIN_LENGTH = 6
/** A phrase in a larger share of titles matches too much to be suggested for a single missed project. */
const MAX_SHARE = 0.002
const MIN_COUNT = 2

/**
 * Returns for each project the phrase of its title that best finds similar ones: the most frequent that is still rare
 * among `background`, else the shortest that occurs nowhere else.
 */
export function findSpecificPieces(
  projects: readonly ProjectToMatch[],
  background: readonly ProjectToMatch[],
  blacklist: ReadonlySet<string>,
): (string | undefined)[] {
  const pieces = projects.map(({ name_spaced }) =>
    [...listTitlePieces(name_spaced)].filter(
      ([form, text]) =>
        form.length >= MIN_LENGTH &&
        !blacklist.has(form) &&
        !blacklist.has(toKeywordKey(text)) &&
        findKeywordProblem('include', text).ok,
    ),
  )
  const textsByForm = new Map(pieces.flat())
  if (textsByForm.size === 0) return projects.map(() => undefined)
  const matcher = compileKeywordMatcher([...textsByForm].map(([id, expression]) => ({ id, expression })))
  const counts = new Map<string, number>()
  for (const { name_search, name_spaced } of background)
    for (const { id } of matcher.match(name_search, name_spaced)) counts.set(id, (counts.get(id) ?? 0) + 1)
  const maxCount = Math.max(MIN_COUNT, MAX_SHARE * background.length)
  return pieces.map((forms) => {
    const rare = forms
      .map(([form]) => ({ form, count: counts.get(form) ?? 0 }))
      .filter(({ count }) => count <= maxCount)
    rare.sort((a, b) => b.count - a.count || a.form.length - b.form.length)
    return rare[0] && textsByForm.get(rare[0].form)
  })
}
