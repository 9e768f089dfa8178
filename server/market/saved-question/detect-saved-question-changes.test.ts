import { expect, test } from 'vitest'
import { MAX_TRACKED_WINNERS } from '#contract/market/saved-question.ts'
import {
  detectSavedQuestionChanges,
  hasUnsentQuestionChanges,
  type SavedQuestionState,
} from './detect-saved-question-changes.ts'

const TODAY = '2026-11-21'
const YESTERDAY = '2026-11-20'
const questionState = (over: Partial<SavedQuestionState> = {}): SavedQuestionState => ({
  ...{ checkedOn: YESTERDAY, winners: [1, 2, 3, 4], leaders: [1, 2, 3], newWinners: [], leadersBefore: null },
  ...over,
})
const currentAnswer = (
  ids: readonly number[],
  ranked: readonly number[] = [1, 2, 3, 4],
  firstOn: string | null = YESTERDAY,
) => ({
  winners: ids.map((id) => ({ id, firstOn })),
  ranked,
})

test('the first check learns and reports nothing', () => {
  const first = detectSavedQuestionChanges(
    questionState({ checkedOn: null, winners: null, leaders: [] }),
    currentAnswer([4, 1, 2, 3]),
    TODAY,
  )
  expect(first).toEqual({ state: questionState({ checkedOn: TODAY }), newWinners: [], haveLeadersChanged: false })
})

test('reports a first-time winner once, but not a returning one', () => {
  const { state: after, newWinners } = detectSavedQuestionChanges(questionState(), currentAnswer([1, 2, 3, 5]), TODAY)
  expect([newWinners, after.winners, after.newWinners]).toEqual([[5], [1, 2, 3, 4, 5], [5]])
  const again = detectSavedQuestionChanges(after, currentAnswer([1, 2, 3, 4, 5]), TODAY)
  expect([again.newWinners, again.state]).toEqual([[], after])
})

test('learns an old award without reporting it, because lists or sources changed', () => {
  const old = detectSavedQuestionChanges(
    questionState(),
    currentAnswer([1, 2, 3, 4, 6], [1, 2, 3], '2026-09-20'),
    TODAY,
  )
  expect([old.newWinners, old.state.winners]).toEqual([[], [1, 2, 3, 4, 6]])
  const unknown = detectSavedQuestionChanges(questionState(), currentAnswer([1, 2, 3, 4, 6], [1, 2, 3], null), TODAY)
  expect([unknown.newWinners, unknown.state.winners]).toEqual([[], [1, 2, 3, 4, 6]])
  expect(
    detectSavedQuestionChanges(questionState(), currentAnswer([1, 2, 3, 4, 6], [1, 2, 3], '2026-09-21'), TODAY)
      .newWinners,
  ).toEqual([6])
})

test('reports a changed top three, compared with the last mail, until it changes back', () => {
  const moved = detectSavedQuestionChanges(questionState(), currentAnswer([1, 2, 3, 4], [2, 1, 3, 4]), TODAY)
  expect([moved.haveLeadersChanged, moved.state.leaders, moved.state.leadersBefore]).toEqual([
    true,
    [2, 1, 3],
    [1, 2, 3],
  ])
  const more = detectSavedQuestionChanges(moved.state, currentAnswer([1, 2, 3, 4], [4, 2, 1, 3]), TODAY)
  expect([more.haveLeadersChanged, more.state.leadersBefore]).toEqual([true, [1, 2, 3]])
  const back = detectSavedQuestionChanges(more.state, currentAnswer([1, 2, 3, 4], [1, 2, 3, 4]), TODAY)
  expect([back.state.leadersBefore, hasUnsentQuestionChanges(back.state)]).toEqual([null, false])
  expect(
    detectSavedQuestionChanges(questionState(), currentAnswer([1, 2, 3, 4], [1, 2, 3]), TODAY).haveLeadersChanged,
  ).toBe(false)
  const unranked = detectSavedQuestionChanges(questionState(), currentAnswer([1], []), TODAY)
  expect([unranked.haveLeadersChanged, unranked.state.leaders]).toEqual([false, [1, 2, 3]])
})

test('reports only the top three when there are too many winners to track', () => {
  const many = Array.from({ length: MAX_TRACKED_WINNERS + 1 }, (_, id) => id)
  const wide = detectSavedQuestionChanges(questionState(), currentAnswer(many, [9, 2, 3]), TODAY)
  expect([wide.newWinners, wide.state.winners, wide.haveLeadersChanged]).toEqual([[], null, true])
  // When the question has few winners again, the new ones among them cannot be determined, so none are reported.
  expect(detectSavedQuestionChanges(wide.state, currentAnswer([1, 2, 7]), TODAY)).toMatchObject({
    newWinners: [],
    state: { winners: [1, 2, 7] },
  })
})
