import { expect, test } from 'vitest'
import { MOST_KNOWN_WINNERS } from '#contract/market/saved-question.ts'
import { hasNews, type Known, whatIsNew } from './what-is-new.ts'

const TODAY = '2026-11-21'
const YESTERDAY = '2026-11-20'
const known = (over: Partial<Known> = {}): Known => ({
  ...{ lookedOn: YESTERDAY, winners: [1, 2, 3, 4], leaders: [1, 2, 3], newWinners: [], leadersBefore: null },
  ...over,
})
const found = (
  ids: readonly number[],
  ranked: readonly number[] = [1, 2, 3, 4],
  firstOn: string | null = YESTERDAY,
) => ({
  winners: ids.map((id) => ({ id, firstOn })),
  ranked,
})

test('the first look learns and tells nothing', () => {
  const first = whatIsNew(known({ lookedOn: null, winners: null, leaders: [] }), found([4, 1, 2, 3]), TODAY)
  expect(first).toEqual({ known: known({ lookedOn: TODAY }), fresh: [], isMoved: false })
})

test('a company that never won is fresh once; one that left and won again is not', () => {
  const { known: after, fresh } = whatIsNew(known(), found([1, 2, 3, 5]), TODAY)
  expect([fresh, after.winners, after.newWinners]).toEqual([[5], [1, 2, 3, 4, 5], [5]])
  const again = whatIsNew(after, found([1, 2, 3, 4, 5]), TODAY)
  expect([again.fresh, again.known]).toEqual([[], after])
})

test('an award of long ago is learned and not told: the question finds it because lists or sources changed', () => {
  const old = whatIsNew(known(), found([1, 2, 3, 4, 6], [1, 2, 3], '2026-09-20'), TODAY)
  expect([old.fresh, old.known.winners]).toEqual([[], [1, 2, 3, 4, 6]])
  const unknown = whatIsNew(known(), found([1, 2, 3, 4, 6], [1, 2, 3], null), TODAY)
  expect([unknown.fresh, unknown.known.winners]).toEqual([[], [1, 2, 3, 4, 6]])
  expect(whatIsNew(known(), found([1, 2, 3, 4, 6], [1, 2, 3], '2026-09-21'), TODAY).fresh).toEqual([6])
})

test('a change of the first three is news until it is as it was, and is told with what the last mail knew', () => {
  const moved = whatIsNew(known(), found([1, 2, 3, 4], [2, 1, 3, 4]), TODAY)
  expect([moved.isMoved, moved.known.leaders, moved.known.leadersBefore]).toEqual([true, [2, 1, 3], [1, 2, 3]])
  const more = whatIsNew(moved.known, found([1, 2, 3, 4], [4, 2, 1, 3]), TODAY)
  expect([more.isMoved, more.known.leadersBefore]).toEqual([true, [1, 2, 3]])
  const back = whatIsNew(more.known, found([1, 2, 3, 4], [1, 2, 3, 4]), TODAY)
  expect([back.known.leadersBefore, hasNews(back.known)]).toEqual([null, false])
  // Neither a change at rank four nor a lost ranking is reported.
  expect(whatIsNew(known(), found([1, 2, 3, 4], [1, 2, 3]), TODAY).isMoved).toBe(false)
  const unranked = whatIsNew(known(), found([1], []), TODAY)
  expect([unranked.isMoved, unranked.known.leaders]).toEqual([false, [1, 2, 3]])
})

test('of more winners than are known one by one only the first three are told', () => {
  const many = Array.from({ length: MOST_KNOWN_WINNERS + 1 }, (_, id) => id)
  const wide = whatIsNew(known(), found(many, [9, 2, 3]), TODAY)
  expect([wide.fresh, wide.known.winners, wide.isMoved]).toEqual([[], null, true])
  // Narrower again: new winners cannot be determined, so none are reported.
  expect(whatIsNew(wide.known, found([1, 2, 7]), TODAY)).toMatchObject({ fresh: [], known: { winners: [1, 2, 7] } })
})
