import { safeHref } from '../safe-href.ts'
import type { ReportRow } from './report.ts'

/** The page of e-GP that shows an announcement of a project, as the links of its own feed have it. */
const ANNOUNCEMENT_PAGE = 'http://process.gprocurement.go.th/egp2procmainWeb/jsp/procsearch.sch'

/** Which announcement the page shows: the result, the cancelled invitation, else the invitation. */
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

/** Numbers that e-GP gives: year, month, series 5 to 7 or 9, serial. The sample's series is 8 (`SAMPLE_SERIES`); packages of OCDS have ids of other shapes. */
const EGP_NUMBER = /^\d{4}[5-79]\d{6}$/
const EGP_HOST = /(^|\.)gprocurement\.go\.th$/

/** The last of these addresses that lies in e-GP and that a link may open. */
export function lastInEgp(urls: readonly string[]): string | undefined {
  for (const url of urls.toReversed()) {
    const href = safeHref(url)
    if (href !== undefined && EGP_HOST.test(new URL(href).hostname)) return href
  }
  return undefined
}

type EgpFacts = Pick<ReportRow, 'project_id' | 'movement' | 'attachments' | 'attachment_summary'>

/**
 * Address of a project in e-GP: the newest that the data brought, else the page of its last announcement, which the number alone leads to.
 * Undefined where the number is none of e-GP's, as that of an invented project: it would open a stranger or nothing.
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
