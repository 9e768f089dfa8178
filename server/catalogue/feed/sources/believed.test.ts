import { expect, test } from 'vitest'
import { DOCUMENT_SOURCE, SOURCE_ORDER } from '#contract/catalogue/fact-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { type NextProject, nextProject } from '#server/catalogue/feed/next-project.ts'
import { FEED_FILE_SOURCES } from '#server/catalogue/feed/open-feed-file.ts'
import type { KnownProject } from '#server/catalogue/feed/project-row.ts'

const ID = '69059440953'
const say = (known: KnownProject | undefined, source: string, loadId: number, fields: Partial<FeedRecord>) =>
  nextProject(ID, known, [{ projectId: ID, ...fields }], { source, loadId, today: '2026-06-15' })

/** Returns the stored state after loads of these sources, in this order. */
function after(
  ...loads: readonly (readonly [source: string, fields: Partial<FeedRecord>])[]
): KnownProject & NextProject {
  let known: (KnownProject & NextProject) | undefined
  for (const [index, [source, fields]] of loads.entries()) {
    const next: NextProject = say(known, source, index + 1, fields)
    known = {
      ...next,
      firstLoad: 1,
      source: known?.source ?? source,
      fieldSources: next.fieldSources ?? known?.fieldSources ?? {},
      announcements: [...(known?.announcements ?? []), ...next.announcements],
      contracts: next.contracts,
      attachments: [],
      bidders: [],
    }
  }
  return known!
}

const INVITED = {
  deptName: 'กรมทางหลวง',
  biddingInvitedOn: '2026-05-26',
  announcements: [{ movement: 'invited', announcedOn: '2026-05-26' }],
}
const FILE = {
  deptName: 'กรมทางหลวง',
  deptSubName: 'แขวงทางหลวงเลย',
  status: 'ระหว่างดำเนินการ',
  biddingInvitedOn: '2026-05-20',
  budgetSatang: 100,
}

test('every source that a file can be of has a place in every order', () => {
  for (const order of Object.values(SOURCE_ORDER))
    expect(order.flat().toSorted()).toEqual([...FEED_FILE_SOURCES, DOCUMENT_SOURCE].toSorted())
})

test('the contract API is believed about prices, whichever comes first', () => {
  const api = { budgetSatang: 120, winnerSatang: 90 }
  for (const order of [
    [['cgd-json', api] as const, ['cgd-csv', FILE] as const],
    [['cgd-csv', FILE] as const, ['cgd-json', api] as const],
  ])
    expect(after(...order).row).toMatchObject({ budget_satang: 120, winner_satang: 90 })
  expect(after(['cgd-csv', FILE], ['cgd-json', api]).fieldSources).toMatchObject({ budget: ['cgd-json', 2] })
})

test('the feed is believed about the stage, whichever comes first; a contract file about the unit', () => {
  for (const known of [after(['egp-rss', INVITED], ['cgd-csv', FILE]), after(['cgd-csv', FILE], ['egp-rss', INVITED])])
    expect(known.row).toMatchObject({
      bidding_invited_on: '2026-05-26',
      movement: 'invited',
      budget_satang: 100,
      dept_sub_name: 'แขวงทางหลวงเลย',
    })
  expect(after(['egp-rss', INVITED], ['cgd-csv', FILE]).fieldSources).toEqual({
    budget: ['cgd-csv', 2],
    dept_sub_name: ['cgd-csv', 2],
  })
})

test('a stale file does not cancel again what the feed has announced anew', () => {
  const cancelled = { ...FILE, status: 'ยกเลิกประกาศเชิญชวน' }
  expect(after(['egp-rss', INVITED], ['cgd-csv', cancelled]).row.status).toBe('in_progress')
  expect(after(['cgd-csv', cancelled], ['egp-rss', INVITED], ['cgd-csv', cancelled]).row.status).not.toBe(
    'project_cancelled',
  )
})

test('what no announcement tells is heard from anybody: the end of the project, and the contract', () => {
  expect(after(['egp-rss', INVITED], ['cgd-csv', { status: 'ยกเลิกโครงการ' }]).row.status).toBe('project_cancelled')
  const contracts = [{ contractNo: '1', winnerName: 'ร้าน ก', amountSatang: 90, signedOn: '2026-06-10' }]
  const known = after(['egp-rss', INVITED], ['cgd-csv', { status: 'สิ้นสุดสัญญา', contracts }])
  expect(known.row).toMatchObject({ status: 'contract_created', winner_satang: 90 })
  expect(known.fieldSources).toMatchObject({ status: ['cgd-csv', 2] })
})

test('an unknown value is filled by whoever knows it, and one source alone keeps no notes', () => {
  expect(after(['cgd-json', {}], ['ocds', { budgetSatang: 5 }])).toMatchObject({
    row: { budget_satang: 5 },
    fieldSources: { budget: ['ocds', 2] },
  })
  expect(after(['cgd-csv', FILE], ['cgd-csv', { ...FILE, budgetSatang: 7 }])).toMatchObject({
    row: { budget_satang: 7 },
    fieldSources: {},
  })
})

test('a better source that says the same takes the fact over, an equal one does not', () => {
  expect(after(['cgd-csv', FILE], ['cgd-json', { budgetSatang: 100 }]).fieldSources).toEqual({
    budget: ['cgd-json', 2],
  })
  const agency = { deptName: FILE.deptName, deptSubName: FILE.deptSubName }
  expect(after(['cgd-csv', FILE], ['ocds', agency]).fieldSources).toEqual({})
})

test('a document fills what is empty, leaves what the feed said, and gives way to whoever says it later', () => {
  const read = { submissionEndsOn: '2026-06-20', submissionTime: '09:00-12:00', estimateSatang: 500 }
  const filled = after(['egp-rss', INVITED], ['egp-document', read])
  expect(filled.row).toMatchObject({
    submission_ends_on: '2026-06-20',
    submission_time: '09:00-12:00',
    estimate_satang: 500,
  })
  expect(filled.fieldSources).toEqual({
    submission_end_date: ['egp-document', 2],
    estimate_budget: ['egp-document', 2],
  })
  const day = { ...INVITED, submissionEndsOn: '2026-06-22' }
  expect(after(['egp-rss', day], ['egp-document', read]).row).toMatchObject({
    submission_ends_on: '2026-06-22',
    submission_time: null,
    estimate_satang: 500,
  })
  // The submission time from the document is valid only for its day.
  const moved = after(['egp-rss', INVITED], ['egp-document', read], ['egp-rss', day])
  expect(moved.row).toMatchObject({ submission_ends_on: '2026-06-22', submission_time: null, estimate_satang: 500 })
  expect(moved.fieldSources.submission_end_date).toEqual(['egp-rss', 3])
})

test('what a document filled leaves again, and a feed that says it then is believed', () => {
  const read = { submissionEndsOn: '2026-06-20', submissionTime: '09:00-12:00' }
  const undone = { submissionEndsOn: null, submissionTime: null }
  const emptied = after(['egp-rss', INVITED], ['egp-document', read], ['egp-document', undone])
  expect(emptied.row).toMatchObject({ submission_ends_on: null, submission_time: null })
  const said = after(
    ['egp-rss', INVITED],
    ['egp-document', read],
    ['egp-document', undone],
    ['cgd-csv', { submissionEndsOn: '2026-06-25' }],
  )
  expect(said.row.submission_ends_on).toBe('2026-06-25')
})
