import sql, { type Sql } from 'sql-template-tag'
import { formatDepartmentName } from '#contract/catalogue/format-department-name.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { parseSearchExpressionOrThrow } from '#contract/search/search-grammar.ts'
import { compileAnyTextSearch } from '#contract/search/search-match.ts'
import { type SearchColumns, searchConditionSql } from '#server/platform/text/search-sql.ts'
import type { ReportFilter, SearchedTextField } from './report-filter.ts'

type Text = {
  readonly textsOf: (row: ReportRow) => readonly string[]
  readonly columns: SearchColumns
  readonly inMemory: SearchedTextField
}

const NAME: Text = {
  textsOf: ({ name }) => [name],
  columns: {
    compact: sql`t.name_search`,
    // Text with spaces is stored only with the project, because quoted terms are rare.
    spaced: sql`(select p.name_spaced from projects p where p.project_id = m.project_id)`,
    scanned: true,
  },
  inMemory: 'name',
}

const NUMBER: Text = {
  textsOf: ({ project_id: id }) => [id],
  columns: { compact: sql`m.project_id`, spaced: sql`m.project_id`, scanned: true },
  inMemory: 'number',
}

const DEPARTMENT: Text = {
  textsOf: (row) => [formatDepartmentName(row)],
  columns: { compact: sql`d.dept_search`, spaced: sql`d.dept_spaced`, scanned: true },
  inMemory: 'department',
}

const WINNER: Text = {
  textsOf: ({ winner_name: mainWinner, other_winners: otherWinners = [] }) => [mainWinner ?? '', ...otherWinners],
  columns: {
    compact: sql`coalesce(t.winner_search, '')`,
    spaced: sql`coalesce(t.winner_spaced, '')`,
    scanned: true,
  },
  inMemory: 'winner',
}

function createExpressionFilter(texts: readonly Text[], condition: (expression: string) => Sql): ReportFilter<string> {
  return {
    matches: (expression) => {
      const matchesTexts = compileAnyTextSearch(parseSearchExpressionOrThrow(expression))
      return (row) => matchesTexts(texts.flatMap(({ textsOf }) => textsOf(row)))
    },
    condition,
    mask:
      (expression) =>
      ({ words, tab }) =>
        words.find(
          parseSearchExpressionOrThrow(expression),
          texts.map(({ inMemory }) => inMemory),
          tab,
        ),
    facet: null,
    readsText: true,
  }
}

/**
 * Join for text filters: one lookup per row, only for rows that pass the earlier conditions. `offset 0` prevents the
 * planner from flattening it.
 */
const FROM_TEXTS = sql`project_texts t where t.filters_id = m.filters_id`
const FROM_ALL_TEXTS = sql`project_texts t join department_texts d on d.department_id = m.department_id where t.filters_id = m.filters_id`

const createTextFilter = (from: Sql, texts: readonly Text[]) =>
  createExpressionFilter(
    texts,
    (expression) =>
      sql`exists (select from ${from} and (${searchConditionSql(parseSearchExpressionOrThrow(expression), ...texts.map(({ columns }) => columns))}) offset 0)`,
  )

export const ANY_TEXT_FILTER = createTextFilter(FROM_ALL_TEXTS, [NAME, DEPARTMENT, WINNER, NUMBER])
export const PROJECT_NAME_FILTER = createTextFilter(FROM_TEXTS, [NAME])
export const WINNER_NAME_FILTER = createTextFilter(FROM_TEXTS, [WINNER])
export const DEPARTMENT_NAME_FILTER = createExpressionFilter(
  [DEPARTMENT],
  (expression) =>
    sql`m.department_id = any (array(select d.department_id from department_texts d where ${searchConditionSql(parseSearchExpressionOrThrow(expression), DEPARTMENT.columns)}))`,
)
