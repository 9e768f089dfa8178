import { expect, test } from 'vitest'
import { countPlaywright, countVitest } from './test-summary.ts'

const assertionResult = (status: string, ...failureMessages: string[]) => ({
  status,
  fullName: status,
  failureMessages,
})

test('counts Vitest results; a file that fails to load is a failure; failed and retried tests are listed', () => {
  expect(
    countVitest({
      numPassedTests: 2,
      numFailedTests: 1,
      numPendingTests: 1,
      testResults: [
        {
          name: '/server/broken.test.ts',
          status: 'failed',
          message: 'SyntaxError: Unexpected token',
          assertionResults: [],
        },
        {
          name: '/server/a.test.ts',
          status: 'failed',
          message: '',
          assertionResults: [assertionResult('failed', 'Error: expected 1\n  at a.ts:1'), assertionResult('skipped')],
        },
        {
          name: '/server/b.test.ts',
          status: 'passed',
          message: '',
          assertionResults: [assertionResult('passed'), { ...assertionResult('passed', 'Error'), fullName: 'again' }],
        },
      ],
    }),
  ).toEqual({
    passed: 2,
    failed: 2,
    skipped: 1,
    retried: ['again'],
    failures: ['broken.test.ts: SyntaxError: Unexpected token', 'failed: Error: expected 1'],
  })
})

test('counts Playwright results at any nesting', () => {
  const spec = (title: string, status: string, ...messages: string[]) => ({
    title,
    tests: [{ status, results: [{ errors: messages.map((message) => ({ message })) }] }],
  })
  expect(
    countPlaywright({
      stats: { expected: 3, unexpected: 1, skipped: 2, flaky: 1 },
      suites: [
        {
          specs: [spec('a', 'expected')],
          suites: [
            { specs: [spec('b', 'flaky'), spec('c', 'unexpected', '\u001b[31mError: late\u001b[39m\n  at c.ts:1')] },
          ],
        },
      ],
    }),
  ).toEqual({ passed: 4, failed: 1, skipped: 2, retried: ['b'], failures: ['c: Error: late'] })
})
