import { expect, test } from 'vitest'
import { DOCUMENT_FACT_SOURCE, PROJECT_FACT_SOURCE_PRIORITIES } from '#contract/catalogue/fact-source.ts'
import type { FeedRecord } from '#server/catalogue/feed/feed-source.ts'
import { computeNextProjectState, type NextProjectState } from '#server/catalogue/feed/next-project.ts'
import { FEED_FILE_SOURCES } from '#server/catalogue/feed/open-feed-file.ts'
import type { ExistingProject } from '#server/catalogue/feed/project-row.ts'

const ID = '69059440953'
const say = (existing: ExistingProject | undefined, source: string, loadId: number, fields: Partial<FeedRecord>) =>
  computeNextProjectState(ID, existing, [{ projectId: ID, ...fields }], { source, loadId, today: '2026-06-15' })

function after(
  ...loads: readonly (readonly [source: string, fields: Partial<FeedRecord>])[]
): ExistingProject & NextProjectState {
  let current: (ExistingProject & NextProjectState) | undefined
  for (const [index, [source, fields]] of loads.entries()) {
    const next: NextProjectState = say(current, source, index + 1, fields)
    current = {
      ...next,
      firstLoad: 1,
      source: current?.source ?? source,
      fieldSources: next.fieldSources ?? current?.fieldSources ?? {},
      announcements: [...(current?.announcements ?? []), ...next.announcements],
      contracts: next.contracts,
      attachments: [],
      bidders: [],
    }
  }
  return current!
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

test('every order ranks every file source', () => {
  for (const order of Object.values(PROJECT_FACT_SOURCE_PRIORITIES))
    expect(order.flat().toSorted()).toEqual([...FEED_FILE_SOURCES, DOCUMENT_FACT_SOURCE].toSorted())
})

test('prefers the contract API for prices, in either order of loads', () => {
  const api = { budgetSatang: 120, winnerSatang: 90 }
  for (const order of [
    [['cgd-json', api] as const, ['cgd-csv', FILE] as const],
    [['cgd-csv', FILE] as const, ['cgd-json', api] as const],
  ])
    expect(after(...order).row).toMatchObject({ budget_satang: 120, winner_satang: 90 })
  expect(after(['cgd-csv', FILE], ['cgd-json', api]).fieldSources).toMatchObject({ budget: ['cgd-json', 2] })
})

test('prefers the feed for the stage, in either order of loads, and a contract file for the unit', () => {
  for (const project of [
    after(['egp-rss', INVITED], ['cgd-csv', FILE]),
    after(['cgd-csv', FILE], ['egp-rss', INVITED]),
  ])
    expect(project.row).toMatchObject({
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

test('a stale file does not cancel a project again that the feed has announced since', () => {
  const cancelled = { ...FILE, status: 'ยกเลิกประกาศเชิญชวน' }
  expect(after(['egp-rss', INVITED], ['cgd-csv', cancelled]).row.status).toBe('in_progress')
  expect(after(['cgd-csv', cancelled], ['egp-rss', INVITED], ['cgd-csv', cancelled]).row.status).not.toBe(
    'project_cancelled',
  )
})

test('accepts facts without announcements from any source: end of project and contract', () => {
  expect(after(['egp-rss', INVITED], ['cgd-csv', { status: 'ยกเลิกโครงการ' }]).row.status).toBe('project_cancelled')
  const contracts = [{ contractNo: '1', winnerName: 'ร้าน ก', amountSatang: 90, signedOn: '2026-06-10' }]
  const project = after(['egp-rss', INVITED], ['cgd-csv', { status: 'สิ้นสุดสัญญา', contracts }])
  expect(project.row).toMatchObject({ status: 'contract_created', winner_satang: 90 })
  expect(project.fieldSources).toMatchObject({ status: ['cgd-csv', 2] })
})

test('any source fills an unknown value, and a single source records no provenance', () => {
  expect(after(['cgd-json', {}], ['ocds', { budgetSatang: 5 }])).toMatchObject({
    row: { budget_satang: 5 },
    fieldSources: { budget: ['ocds', 2] },
  })
  expect(after(['cgd-csv', FILE], ['cgd-csv', { ...FILE, budgetSatang: 7 }])).toMatchObject({
    row: { budget_satang: 7 },
    fieldSources: {},
  })
})

test('a better source stating the same value becomes its source, an equal one does not', () => {
  expect(after(['cgd-csv', FILE], ['cgd-json', { budgetSatang: 100 }]).fieldSources).toEqual({
    budget: ['cgd-json', 2],
  })
  const agency = { deptName: FILE.deptName, deptSubName: FILE.deptSubName }
  expect(after(['cgd-csv', FILE], ['ocds', agency]).fieldSources).toEqual({})
})

test('a document fills empty values, keeps those of the feed, and yields to later statements', () => {
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

test('a value withdrawn from a document clears, and a feed can then set it', () => {
  const read = { submissionEndsOn: '2026-06-20', submissionTime: '09:00-12:00' }
  const undone = { submissionEndsOn: null, submissionTime: null }
  const emptied = after(['egp-rss', INVITED], ['egp-document', read], ['egp-document', undone])
  expect(emptied.row).toMatchObject({ submission_ends_on: null, submission_time: null })
  const project = after(
    ['egp-rss', INVITED],
    ['egp-document', read],
    ['egp-document', undone],
    ['cgd-csv', { submissionEndsOn: '2026-06-25' }],
  )
  expect(project.row.submission_ends_on).toBe('2026-06-25')
})
