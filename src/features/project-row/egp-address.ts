import { isSampleProject } from '#contract/project/project-id.ts'
import type { ReportRow } from '#contract/report/report.ts'
import { safeHref } from './attachments.tsx'

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

type EgpFacts = Pick<ReportRow, 'project_id' | 'movement' | 'attachments'>

/**
 * Address of a project in e-GP: the newest that the data brought, else the page of its last announcement, which the number alone leads to.
 * Undefined for an invented project: e-GP does not know its number.
 */
export function egpHref({ project_id, movement, attachments }: EgpFacts): string | undefined {
  if (isSampleProject(project_id)) return undefined
  const fromFeed = attachments
    .flatMap(({ url }) => safeHref(url) ?? [])
    .findLast((href) => /(^|\.)gprocurement\.go\.th$/.test(new URL(href).hostname))
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
