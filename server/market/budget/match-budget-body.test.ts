import { expect, test } from 'vitest'
import { matchBudgetBody } from './match-budget-body.ts'

const [NAN, SURIN] = [55, 32]

test.each([
  ['its own province', NAN, true, [NAN], 'same'],
  ['another province', NAN, true, [SURIN], 'other'],
  ['another province, of the only body known', NAN, false, [SURIN], 'other'],
  ['several provinces', NAN, true, [NAN, SURIN], 'unknown'],
  ['no province', NAN, true, [], 'unknown'],
  ['no province, of the only body known', NAN, false, [], 'same'],
  ['a province, of a body of unknown province', null, true, [NAN], 'unknown'],
  ['a province, of the only body known, of unknown province', null, false, [NAN], 'same'],
] as const)(
  'compares a local government with a budget that states %s',
  (_, province, isNameShared, stated, expected) => {
    expect(matchBudgetBody({ province, isNameShared }, stated)).toBe(expected)
  },
)
