import { toSafeHref } from '../safe-href.ts'
import type { ReportRow } from './report.ts'

const ANNOUNCEMENT_PAGE =
  'http://process.gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch?servlet=gojsp&proc_id=ShowHTMLFile&processFlows=Procure&projectId='

const RESULT_PARAMS = '&templateType=W2&temp_Announ=A&temp_itemNo=0&seqNo=1'
const CANCELLATION_PARAMS = '&templateType=D2&temp_Announ=D&temp_itemNo=1&seqNo=1'
const INVITATION_PARAMS = '&templateType=D2&temp_Announ=A&temp_itemNo=0&seqNo=0'
const PARAMS_BY_MOVEMENT: Readonly<Record<string, string>> = {
  winner_announced: RESULT_PARAMS,
  winner_amended: RESULT_PARAMS,
  winner_cancelled: RESULT_PARAMS,
  contract_created: RESULT_PARAMS,
  invitation_cancelled: CANCELLATION_PARAMS,
  project_cancelled: CANCELLATION_PARAMS,
}

/**
 * Matches project numbers of e-GP: year, month, series 5 to 7 or 9, serial number. Demo data has series 8
 * (`DEMO_PROJECT_SERIES_DIGIT`); OCDS packages have ids in other formats.
 */
const EGP_NUMBER_PATTERN = /^\d{4}[5-79]\d{6}$/
const EGP_HOST_PATTERN = /(^|\.)gprocurement\.go\.th$/

export function findNewestEgpUrl(urls: readonly string[]): string | undefined {
  for (const url of urls.toReversed()) {
    const href = toSafeHref(url)
    if (href !== undefined && EGP_HOST_PATTERN.test(new URL(href).hostname)) return href
  }
  return undefined
}

type EgpFacts = Pick<ReportRow, 'project_id' | 'movement' | 'attachments' | 'attachment_summary'>

/**
 * Returns the URL of a project in e-GP: the newest link in the data, otherwise the page of its last announcement, built
 * from the project number. Undefined for a number that e-GP did not assign, such as one of the demo data, because its
 * URL would open another project or nothing.
 */
export function getEgpProjectHref({
  project_id,
  movement,
  attachments,
  attachment_summary,
}: EgpFacts): string | undefined {
  if (!EGP_NUMBER_PATTERN.test(project_id)) return undefined
  const lastEgpUrl = attachment_summary?.egp ?? undefined
  const fromFeed = findNewestEgpUrl(
    attachments?.map(({ url }) => url) ?? (lastEgpUrl === undefined ? [] : [lastEgpUrl]),
  )
  if (fromFeed !== undefined) return fromFeed
  const params = Object.hasOwn(PARAMS_BY_MOVEMENT, movement) ? PARAMS_BY_MOVEMENT[movement]! : INVITATION_PARAMS
  return `${ANNOUNCEMENT_PAGE}${project_id}${params}`
}
