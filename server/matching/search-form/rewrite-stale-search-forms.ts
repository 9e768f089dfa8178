import { formatDepartmentName, formatWinnerNames } from '#contract/catalogue/format-department-name.ts'
import { normaliseThai, removeSpacesNextToThai, toNormalisedSearchText } from '#contract/thai/thai-text.ts'
import { toPlanMatchingTitle } from '#server/catalogue/announcement/parse-announcement.ts'
import type { Db } from '#server/platform/engine/db.ts'
import { normaliseSearchTextLines } from '#server/platform/text/to-line-search-forms.ts'
import {
  findKeywordsWithStaleKey,
  findStaleNormalisedBudgetTexts,
  findStaleNormalisedDepartmentNames,
  findStaleNormalisedWinnerNames,
  findStalePlanTitles,
  findStaleProjectNames,
  type KeywordWithStaleKey,
  updateKeywordKey,
  updatePlanTitleKey,
  writeNormalisedBudgetTexts,
  writeNormalisedDepartmentNames,
  writeNormalisedProjectNames,
  writeNormalisedWinnerNames,
} from './queries.ts'

const ROWS_PER_BATCH = 2_000

export type RewrittenNormalisedSearchTexts = {
  readonly projects: readonly string[]
  readonly keywords: readonly KeywordWithStaleKey[]
}

/**
 * Recomputes search texts that an earlier version normalised by its own rules: texts from its loads, from its backups,
 * and from its processes during a rolling upgrade. Writes only differences, so it may be restarted and run
 * concurrently.
 */
export async function rewriteStaleNormalisedSearchTexts(db: Db): Promise<RewrittenNormalisedSearchTexts> {
  const projects = await renewNames(db)
  await renewWinners(db)
  const departments = (await findStaleNormalisedDepartmentNames(db)).map((row) => ({
    ...row,
    text: formatDepartmentName(row),
  }))
  await writeDiffering(departments, (rows) => writeNormalisedDepartmentNames(db, rows))
  const items = (await findStaleNormalisedBudgetTexts(db)).map((row) => ({ ...row, text: row.lines.join('\n') }))
  await writeDiffering(items, (rows) => writeNormalisedBudgetTexts(db, rows))
  const keywords = (await findKeywordsWithStaleKey(db)).filter(
    ({ word, word_key }) => toNormalisedSearchText(word) !== word_key,
  )
  for (const keyword of keywords) await updateKeywordKey(db, keyword, toNormalisedSearchText(keyword.word))
  for (const plan of await findStalePlanTitles(db)) {
    const key = toPlanMatchingTitle(plan.title)
    if (key !== plan.key) await updatePlanTitleKey(db, plan, key)
  }
  return { projects, keywords }
}

async function renewNames(db: Db): Promise<string[]> {
  const renewed: string[] = []
  for (let after = ''; ; ) {
    const names = await findStaleProjectNames(db, after, ROWS_PER_BATCH)
    const last = names.at(-1)
    if (last === undefined) return renewed
    after = last.id
    const written = names.flatMap(({ id, name, ...before }) => {
      const spaced = normaliseThai(name)
      const compact = removeSpacesNextToThai(spaced)
      return spaced === before.spaced && compact === before.compact ? [] : [{ id, name, compact, spaced }]
    })
    if (written.length > 0) await db.transaction((tx) => writeNormalisedProjectNames(tx, written))
    renewed.push(...written.map(({ id }) => id))
  }
}

async function renewWinners(db: Db): Promise<void> {
  for (let after = 0; ; ) {
    const rows = await findStaleNormalisedWinnerNames(db, after, ROWS_PER_BATCH)
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.id
    await writeDiffering(
      rows.map((row) => ({ ...row, text: formatWinnerNames(row) })),
      (written) => writeNormalisedWinnerNames(db, written),
    )
  }
}

type Text = { readonly id: number; readonly spaced: string; readonly compact: string; readonly text: string }

async function writeDiffering(
  texts: readonly Text[],
  write: (rows: { id: number; compact: string; spaced: string }[]) => Promise<void>,
): Promise<void> {
  const rows = texts
    .map(({ id, text, ...before }) => ({ before, after: { id, ...normaliseSearchTextLines(text) } }))
    .filter(({ before, after }) => before.spaced !== after.spaced || before.compact !== after.compact)
    .map(({ after }) => after)
  if (rows.length > 0) await write(rows)
}
