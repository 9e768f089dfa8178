import { expect, test } from 'vitest'
import { InvalidResponseError, NetworkError, ProblemError } from '#src/lib/problem-error.ts'
import { shouldReportError, toErrorGroupPath } from './sentry.ts'

const answered = (status: number) =>
  new ProblemError(new Response(null, { status }), {}) as unknown as Record<string, unknown>
const missing = new TypeError('Failed to fetch dynamically imported module: https://x.th/assets/a.js')

test.each([
  ['a failure of the server', answered(500), true, true],
  ['a refusal', answered(404), true, false],
  ['a dead session', answered(401), true, false],
  ['no answer', new NetworkError('No answer'), true, false],
  ['a request given up', new DOMException('Aborted', 'AbortError'), true, false],
  ['an answer of the wrong shape', new InvalidResponseError(), true, true],
  ['a fault of the code', new TypeError('x is undefined'), false, true],
  ['a text that was thrown', 'boom', true, true],
  ['a file that is gone', missing, true, true],
  ['a file that cannot be reached offline', missing, false, false],
])('%s is reported: %s', (_name, error, isOnline, isReported) => {
  expect(shouldReportError(error, isOnline)).toBe(isReported)
})

test('groups addresses of one route', () => {
  expect(toErrorGroupPath('/api/v2/projects/68119000001?x=1')).toBe('/api/v2/projects/…')
  expect(toErrorGroupPath('https://x.th/api/v2/companies/%E0%B8%81/projects')).toBe('/api/v2/companies/…/projects')
})
