import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-summary.ts'

const found = (status: string, ...failureMessages: string[]) => ({ status, fullName: status, failureMessages })

test('what Vitest found is counted; a file that does not load is a failure, a test that passed the second time is named', () => {
  expect(
    countVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [found('failed', 'Error'), found('skipped')] },
        { status: 'passed', assertionResults: [found('passed'), { ...found('passed', 'Error'), fullName: 'again' }] },
      ],
    }),
  ).toEqual({ passed: 2, failed: 2, skipped: 1, retried: ['again'] })
})

test('what Playwright found is counted, wherever it stands in a file', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] })
  expect(
    countPlaywright({
      stats: { expected: 3, unexpected: 1, skipped: 2, flaky: 1 },
      suites: [{ specs: [spec('a', 'expected')], suites: [{ specs: [spec('b', 'flaky'), spec('c', 'unexpected')] }] }],
    }),
  ).toEqual({ passed: 4, failed: 1, skipped: 2, retried: ['b'] })
})
