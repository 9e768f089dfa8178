import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FeedRecord, FeedRow, FeedSource } from './feed-source.ts'

const SHARED = path.join(import.meta.dirname, '../../../../shared/data')

export function findSharedTestFile(name: string): string | undefined {
  const file = path.join(SHARED, name)
  if (existsSync(file)) return file
  console.warn(`\n*** ${name} of the shared data is not here: the tests on it are SKIPPED. ***\n`)
  return undefined
}

export function writeTemporaryTestFile(name: string, content: string | Uint8Array): string {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'tamngan-feed-')), name)
  writeFileSync(file, content)
  return file
}

export async function readAllFeedItems(source: FeedSource, resumeAfterLine = 0): Promise<FeedRow[]> {
  return collectAsyncItems(source.records(resumeAfterLine))
}

export async function collectAsyncItems<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

export const getAcceptedRecords = (items: readonly FeedRow[]): FeedRecord[] =>
  items.flatMap((item) => ('record' in item ? [item.record] : []))

export const getFeedRejections = (items: readonly FeedRow[]): { line: number; reason: string; raw: string }[] =>
  items.flatMap((item) => ('rejected' in item ? [{ line: item.line, ...item.rejected }] : []))

/** Turns records into a source, one per line; `breakAfter` aborts it like a crash. */
export function createListFeedSource(
  records: readonly FeedRecord[],
  breakAfter = Number.POSITIVE_INFINITY,
): FeedSource {
  return {
    name: 'list',
    async *records(resumeAfterLine) {
      for (const [index, record] of records.entries()) {
        if (index >= breakAfter) throw new Error('the process is gone')
        if (index + 1 > resumeAfterLine) yield { line: index + 1, record }
      }
    },
  }
}

export const createTestFeedRecord = (fields: Partial<FeedRecord> = {}): FeedRecord => ({
  projectId: '68010000001',
  name: 'ประกวดราคาจ้างก่อสร้างถนน',
  deptName: 'กรมทดสอบ',
  deptSubName: 'สำนักงานเลย',
  deptProvince: 42,
  projectProvince: 42,
  method: 'e_bidding',
  budgetSatang: 1_200_000,
  biddingInvitedOn: '2026-06-01',
  submissionEndsOn: '2026-06-20',
  ...fields,
})
export const createTestFeedRecords = (count: number, fields: (index: number) => Partial<FeedRecord> = () => ({})) =>
  Array.from({ length: count }, (_, index) =>
    createTestFeedRecord({ projectId: String(68_010_000_000 + index), ...fields(index) }),
  )
