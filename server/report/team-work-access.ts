import { REPORT_TEAM_COLUMNS } from '#contract/catalogue/report-columns.ts'
import { FIT_ORDERING } from '#contract/matching/fit.ts'
import type { ReportFacets, ReportPageResponse, ReportRow } from '#contract/report/report.ts'
import { REPORT_CONFIDENTIAL_PARAMS, type ReportSearch } from '#contract/report/report-params.ts'
import type { Actor } from '#server/platform/route/actor.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'

/** True for session users and API keys with scope `pursuits`. Other keys get public facts only. */
export const canReadPursuitData = ({ scopes }: Pick<Actor, 'scopes'>): boolean =>
  scopes === undefined || scopes.includes('pursuits')

/**
 * Throws ProblemError `forbidden` if a key without the scope filters or sorts by team work, fit or qualifications,
 * because even a count would leak it.
 */
export function assertPursuitDataAccess(actor: Pick<Actor, 'scopes'>, search: ReportSearch): void {
  if (canReadPursuitData(actor)) return
  const forbiddenParams: string[] = REPORT_CONFIDENTIAL_PARAMS.filter((name) => search[name] !== undefined)
  const { ordering } = search
  if (ordering === FIT_ORDERING || REPORT_TEAM_COLUMNS.some((column) => column === ordering?.replace(/^-/, '')))
    forbiddenParams.push('ordering')
  if (forbiddenParams.length === 0) return
  const text = `คีย์นี้กรองหรือเรียงตามงานของทีมหรือคุณสมบัติขององค์กรไม่ได้ (${forbiddenParams.join(', ')}) สร้างคีย์ที่อ่าน “งานของเรา” ได้ด้วย / This API key needs the scope "pursuits" for: ${forbiddenParams.join(', ')}`
  throw new ProblemError('forbidden', {
    text,
    fields: Object.fromEntries(forbiddenParams.map((name) => [name, [text]])),
  })
}

export const redactReportRowForActor = (actor: Pick<Actor, 'scopes'>, row: ReportRow): ReportRow => {
  if (canReadPursuitData(actor)) return row
  const { pursuit: _, ...publicRow } = row
  return publicRow
}

export const redactReportPageForActor = (
  actor: Pick<Actor, 'scopes'>,
  page: ReportPageResponse,
): ReportPageResponse => {
  if (canReadPursuitData(actor)) return page
  const { pursuit_version: _, results, ...publicPage } = page
  return { ...publicPage, results: results.map((row) => redactReportRowForActor(actor, row)) }
}

export const redactReportFacetsForActor = (actor: Pick<Actor, 'scopes'>, facets: ReportFacets): ReportFacets => {
  if (canReadPursuitData(actor)) return facets
  const isOpen = ([name]: readonly [string, unknown]) => !REPORT_CONFIDENTIAL_PARAMS.some((param) => param === name)
  return { ...facets, options: Object.fromEntries(Object.entries(facets.options).filter(isOpen)) }
}
