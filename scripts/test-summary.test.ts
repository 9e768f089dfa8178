import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-summary.ts'

const assertionResult = (status: string, ...failureMessages: string[]) => ({
  status,
  fullName: status,
  failureMessages,
})

test('counts Vitest results; a file that fails to load is a failure, a test that passed on retry is listed', () => {
  expect(
    countVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      testResults: [
        { status: 'failed', assertionResults: [] },
        { status: 'failed', assertionResults: [assertionResult('failed', 'Error'), assertionResult('skipped')] },
        {
          status: 'passed',
          assertionResults: [assertionResult('passed'), { ...assertionResult('passed', 'Error'), fullName: 'again' }],
        },
      ],
    }),
  ).toEqual({ passed: 2, failed: 2, skipped: 1, retried: ['again'] })
})

test('counts Playwright results at any nesting', () => {
  const spec = (title: string, status: string) => ({ title, tests: [{ status }] })
  expect(
    countPlaywright({
      stats: { expected: 3, unexpected: 1, skipped: 2, flaky: 1 },
      suites: [{ specs: [spec('a', 'expected')], suites: [{ specs: [spec('b', 'flaky'), spec('c', 'unexpected')] }] }],
    }),
  ).toEqual({ passed: 4, failed: 1, skipped: 2, retried: ['b'] })
})
