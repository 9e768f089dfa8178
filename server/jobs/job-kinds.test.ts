import { expect, test } from 'vitest'
import { OPERATOR_JOB_NAMES } from '#contract/operation/jobs.ts'
import { JOB_KINDS } from './job-kinds.ts'

test('names every kind of job for operators, and no other', () => {
  expect(new Set(Object.keys(OPERATOR_JOB_NAMES))).toEqual(new Set(JOB_KINDS.map(({ kind }) => kind)))
})
