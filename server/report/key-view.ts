import { TEAM_COLUMNS } from '#contract/catalogue/report-columns.ts'
import type { ReportFacets, ReportPage, ReportRow } from '#contract/report/report.ts'
import { PURSUIT_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/problem.ts'

/**
 * Whether the caller may read team work: session users and API keys with scope `pursuits`. Other keys see public facts
 * only.
 */
export const seesTeamWork = ({ scopes }: Pick<Actor, 'scopes'>): boolean =>
  scopes === undefined || scopes.includes('pursuits')

/**
 * Throws ProblemError `forbidden` if a key without the scope filters or sorts by team work: even a count would leak it.
 */
export function refuseTeamWork(actor: Pick<Actor, 'scopes'>, search: ReportSearch): void {
  if (seesTeamWork(actor)) return
  const asked: string[] = PURSUIT_PARAMS.filter((name) => search[name] !== undefined)
  if (TEAM_COLUMNS.some((column) => column === search.ordering?.replace(/^-/, ''))) asked.push('ordering')
  if (asked.length === 0) return
  const text = `คีย์นี้กรองหรือเรียงตามงานของทีมไม่ได้ (${asked.join(', ')}) สร้างคีย์ที่อ่าน “งานของเรา” ได้ด้วย / This API key needs the scope "pursuits" for: ${asked.join(', ')}`
  throw new ProblemError('forbidden', { text, fields: Object.fromEntries(asked.map((name) => [name, [text]])) })
}

export const rowFor = (actor: Pick<Actor, 'scopes'>, row: ReportRow): ReportRow => {
  if (seesTeamWork(actor)) return row
  const { pursuit: _, ...rest } = row
  return rest
}

export const pageFor = (actor: Pick<Actor, 'scopes'>, page: ReportPage): ReportPage => {
  if (seesTeamWork(actor)) return page
  const { pursuit_version: _, results, ...rest } = page
  return { ...rest, results: results.map((row) => rowFor(actor, row)) }
}

export const facetsFor = (actor: Pick<Actor, 'scopes'>, facets: ReportFacets): ReportFacets => {
  if (seesTeamWork(actor)) return facets
  const isOpen = ([name]: readonly [string, unknown]) => !PURSUIT_PARAMS.some((param) => param === name)
  return { ...facets, options: Object.fromEntries(Object.entries(facets.options).filter(isOpen)) }
}
