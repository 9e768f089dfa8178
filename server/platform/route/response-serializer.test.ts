import { ResponseSerializationError } from 'fastify-type-provider-zod'
import { expect, test } from 'vitest'
import { z } from 'zod/mini'
import { responseSerializer } from './response-serializer.ts'

const ROW = z.object({ id: z.string(), budget: z.nullable(z.number()), labels: z.optional(z.array(z.string())) })
const serialize = (answer: unknown) =>
  responseSerializer({ schema: z.object({ rows: z.array(ROW) }), method: 'GET', url: '/projects' })(answer)

test('omits fields that the schema does not name, at any depth', () => {
  const row = { id: '1', budget: null, password_hash: 'x' }
  expect(JSON.parse(serialize({ rows: [row, { ...row, labels: ['ก'] }], secret: 1 }))).toEqual({
    rows: [
      { id: '1', budget: null },
      { id: '1', budget: null, labels: ['ก'] },
    ],
  })
})

test('throws with the path when the answer does not match its schema', () => {
  const wrong = () => serialize({ rows: [{ id: 1, budget: null }] })
  expect(wrong).toThrow(ResponseSerializationError)
  try {
    wrong()
  } catch (error) {
    expect((error as ResponseSerializationError).cause.issues).toMatchObject([{ path: ['rows', 0, 'id'] }])
  }
})

test('strips bidirectional control characters from every text', () => {
  const row = { id: 'บริษัท \u202eก จำกัด', budget: 1, labels: ['\u2067ข\u200f', 'ค'] }
  expect(JSON.parse(serialize({ rows: [row] }))).toEqual({
    rows: [{ id: 'บริษัท ก จำกัด', budget: 1, labels: ['ข', 'ค'] }],
  })
})
