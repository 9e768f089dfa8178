import { safeHref } from '../safe-href.ts'
import type { ReportRow } from './report.ts'

/** The e-GP page of a project's announcement, as linked by its feed. */
const ANNOUNCEMENT_PAGE = 'http://process.gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch'

const RESULT = { templateType: 'W2', temp_Announ: 'A', temp_itemNo: '0', seqNo: '1' }
const CANCELLED = { templateType: 'D2', temp_Announ: 'D', temp_itemNo: '1', seqNo: '1' }
const INVITATION = { templateType: 'D2', temp_Announ: 'A', temp_itemNo: '0', seqNo: '0' }
const PAGES: Readonly<Record<string, typeof RESULT>> = {
  winner_announced: RESULT,
  winner_amended: RESULT,
  winner_cancelled: RESULT,
  contract_created: RESULT,
  invitation_cancelled: CANCELLED,
  project_cancelled: CANCELLED,
}

/**
 * Project numbers of e-GP: year, month, series 5 to 7 or 9, serial. Demo data has series 8 (`SAMPLE_SERIES`); OCDS
 * packages have ids of other formats.
 */
const EGP_NUMBER = /^\d{4}[5-79]\d{6}$/
const EGP_HOST = /(^|\.)gprocurement\.go\.th$/

export function lastInEgp(urls: readonly string[]): string | undefined {
  for (const url of urls.toReversed()) {
    const href = safeHref(url)
    if (href !== undefined && EGP_HOST.test(new URL(href).hostname)) return href
  }
  return undefined
}

type EgpFacts = Pick<ReportRow, 'project_id' | 'movement' | 'attachments' | 'attachment_summary'>

/**
 * Returns the address of a project in e-GP: the newest in the data, else the page of its last announcement, built from
 * the number. Undefined for a number that is not e-GP's, such as demo data, which would open another project or
 * nothing.
 */
export function egpHref({ project_id, movement, attachments, attachment_summary }: EgpFacts): string | undefined {
  if (!EGP_NUMBER.test(project_id)) return undefined
  const counted = attachment_summary?.egp ?? undefined
  const fromFeed = lastInEgp(attachments?.map(({ url }) => url) ?? (counted === undefined ? [] : [counted]))
  if (fromFeed !== undefined) return fromFeed
  const page = Object.hasOwn(PAGES, movement) ? PAGES[movement]! : INVITATION
  const question = {
    servlet: 'gojsp',
    proc_id: 'ShowHTMLFile',
    processFlows: 'Procure',
    projectId: project_id,
    ...page,
  }
  return `${ANNOUNCEMENT_PAGE}?${new URLSearchParams(question)}`
}
