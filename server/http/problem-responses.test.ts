import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { API_PROBLEM_TEXTS } from '#contract/http/problem-texts.ts'
import { DbUnavailableError, QueryTimeoutError } from '#server/platform/engine/db.ts'
import { ProblemError } from '#server/platform/route/route-problem.ts'
import { toProblemError } from './problem-responses.ts'

const SERVER = path.join(import.meta.dirname, '..')

test('every code that the server sends has a Thai text in the catalogue', () => {
  const sources = readdirSync(SERVER, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.ts$/.test(file) && !file.endsWith('.test.ts'),
  )
  const sent = new Set(
    sources.flatMap((file) =>
      [...readFileSync(path.join(SERVER, file), 'utf8').matchAll(/new ProblemError\(\s*'(\w+)'/g)].map(
        (match) => match[1]!,
      ),
    ),
  )
  expect(sent.size).toBeGreaterThan(8)
  for (const code of sent) expect([code, Object.hasOwn(API_PROBLEM_TEXTS, code)]).toEqual([code, true])
  for (const text of Object.values(API_PROBLEM_TEXTS)) expect(text).toMatch(/^[\u0E00-\u0E7F][\u0E00-\u0E7FA-Z ]+$/)
})

test.each([
  [new QueryTimeoutError('slow'), 'query_too_slow', 503],
  [new DbUnavailableError('down'), 'unavailable', 503],
  [new ProblemError('forbidden'), 'forbidden', 403],
  [new Error('secret detail'), 'internal', 500],
  ['not even an error', 'internal', 500],
  [null, 'internal', 500],
])('%s becomes %s', (error, code, status) => {
  const problem = toProblemError(error)
  expect([problem.code, problem.status]).toEqual([code, status])
  expect(problem.message).not.toContain('secret')
  if (status === 503) expect(problem.retryAfterSeconds).toBeGreaterThan(0)
})
