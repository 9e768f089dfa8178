import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileSearchChips, decodeSavedSearchChips, parseSearchChips, type SearchChip } from './search-chips.ts'
import { parseSearchExpression } from './search-grammar.ts'
import { matchesSearch } from './search-match.ts'

const has = (value: SearchChip['value']): SearchChip => ({ key: 'name', value, negation: false })
const not = (value: SearchChip['value']): SearchChip => ({ key: 'name', value, negation: true })
const expression = (value: string, negation = false): SearchChip => ({
  key: 'name',
  value,
  negation,
  isIgnoreEncode: true,
})

describe('compileSearchChips, as in product 6.3', () => {
  it.each<[string, SearchChip[], string]>([
    ['nothing', [], ''],
    ['one word', [has('กล้อง')], 'กล้อง'],
    ['alternatives alone', [has(['กล้อง', 'CCTV'])], 'กล้อง||CCTV'],
    ['a list of one', [has(['กล้อง']), has('CCTV')], 'กล้อง##CCTV'],
    ['the example', [has(['กล้อง', 'CCTV']), has('ติดตั้ง'), not(['ซ่อม', 'เช่า'])], '(กล้อง||CCTV)##ติดตั้ง<<ซ่อม||เช่า'],
    ['several negated items', [has('กล้อง'), not('ซ่อม'), not('เช่า')], 'กล้อง<<ซ่อม<<เช่า'],
    ['negated items before positive ones', [not('ซ่อม'), has('กล้อง')], 'กล้อง<<ซ่อม'],
    ['only negated items', [not('ซ่อม'), not(['เช่า', 'ล้าง'])], '<<ซ่อม<<เช่า||ล้าง'],
    ['operators typed in a plain chip', [has('กล้อง##วงจรปิด')], 'กล้อง\\#\\#วงจรปิด'],
    ['brackets, quotes and backslashes', [has('จอ (19") \\')], 'จอ \\(19\\"\\) \\\\'],
    ['a word that ends in |', [has(['ab|', 'cd'])], 'ab\\|||cd'],
    ['an expression alone', [expression('กล้อง||CCTV<<ซ่อม')], 'กล้อง||CCTV<<ซ่อม'],
    [
      'expressions beside others',
      [expression('กล้อง||CCTV'), has('ติดตั้ง'), expression('aa##bb')],
      '(กล้อง||CCTV)##ติดตั้ง##aa##bb',
    ],
    ['a negated expression', [has('กล้อง'), expression('ซ่อม<<ล้าง', true)], 'กล้อง<<(ซ่อม<<ล้าง)'],
    ['empty values', [has(''), has([]), has([' ', 'กล้อง']), not('  ')], 'กล้อง'],
    ['an expression that does not parse, alone', [has('กล้อง'), expression('(CCTV'), expression('ซ่อม)')], '(CCTV'],
  ])('%s', (_, items, compiled) => {
    expect(compileSearchChips(items)).toBe(compiled)
  })
})

describe('parseSearchChips', () => {
  it.each<[string, SearchChip[]]>([
    ['', []],
    ['กล้อง', [has('กล้อง')]],
    ['กล้อง||CCTV', [has(['กล้อง', 'CCTV'])]],
    ['(กล้อง||CCTV)##ติดตั้ง<<ซ่อม||เช่า', [has(['กล้อง', 'CCTV']), has('ติดตั้ง'), not(['ซ่อม', 'เช่า'])]],
    ['<<ซ่อม<<เช่า', [not('ซ่อม'), not('เช่า')]],
    ['กล้อง\\#\\#วงจรปิด', [has('กล้อง##วงจรปิด')]],
    ['กล้อง##วงจรปิด||CCTV', [expression('กล้อง##วงจรปิด||CCTV')]],
    ['"กล้อง วงจร"##CCTV', [expression('"กล้อง วงจร"##CCTV')]],
    ['กล้อง<<(ซ่อม<<ล้าง)', [expression('กล้อง<<(ซ่อม<<ล้าง)')]],
    ['(กล้อง<<ซ่อม)##CCTV', [expression('(กล้อง<<ซ่อม)##CCTV')]],
    ['(กล้อง', [expression('(กล้อง')]],
  ])('%s', (text, items) => {
    expect(parseSearchChips('name', text)).toEqual(items)
  })
})

const WORDS = [
  'aa',
  'กข',
  'c#',
  'b|',
  '|b',
  '<d',
  'e(',
  ')f',
  'g"',
  'h\\',
  'กล้อง##วงจร',
  'aa||กข',
  'x\\y',
  '((',
  '<<<',
  '""',
]
const word = fc.constantFrom(...WORDS)
const plainItem = fc.record({
  key: fc.constant('name'),
  value: fc.oneof(word, fc.uniqueArray(word, { minLength: 2, maxLength: 3 })),
  negation: fc.boolean(),
})
const exprItem = fc.record({
  key: fc.constant('name'),
  value: fc.constantFrom(
    'aa',
    'aa||กข',
    'aa##กข',
    'aa<<กข',
    '<<aa',
    '(aa||กข)<<c#',
    '"e("',
    'aa##กข||c#',
    'c#',
    '|b',
    'h\\',
    '<d||b|',
    'h\\\\',
    'aa\\ ',
  ),
  negation: fc.boolean(),
  isIgnoreEncode: fc.constant(true),
})
const text = fc.array(word, { maxLength: 6 }).map((words) => words.join(' '))

/** Evaluates search items without the compiler under test. */
function itemsHold(items: readonly SearchChip[], title: string): boolean {
  return items.every(({ value, negation, isIgnoreEncode }) => {
    const isMatch = (typeof value === 'string' ? [value] : value).some((expression) => {
      if (!isIgnoreEncode) return matchesSearch({ kind: 'term', text: expression, quoted: false }, title)
      const parsed = parseSearchExpression(expression)
      return parsed.ok && matchesSearch(parsed.node, title)
    })
    return isMatch !== negation
  })
}

it('parse(compile(items)) has the meaning of the items', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(plainItem, exprItem), { minLength: 1, maxLength: 4 }), text, (items, title) => {
      const parsed = parseSearchExpression(compileSearchChips(items))
      expect(parsed.ok, compileSearchChips(items)).toBe(true)
      if (parsed.ok) expect(matchesSearch(parsed.node, title)).toBe(itemsHold(items, title))
    }),
    { numRuns: 10_000 },
  )
})

it('plain chips round-trip, positive ones first', () => {
  fc.assert(
    fc.property(fc.array(plainItem, { maxLength: 4 }), (items) => {
      const sorted = [...items.filter((item) => !item.negation), ...items.filter((item) => item.negation)]
      expect(parseSearchChips('name', compileSearchChips(items))).toEqual(sorted)
    }),
    { numRuns: 3000 },
  )
})

it('reading chips never throws and preserves the meaning', () => {
  const signs = fc.string({
    unit: fc.constantFrom('##', '||', '<<', '(', ')', '"', '\\', ' ', 'กข', 'aa'),
    maxLength: 14,
  })
  fc.assert(
    fc.property(signs, text, (typed, title) => {
      const before = parseSearchExpression(typed)
      const after = parseSearchExpression(compileSearchChips(parseSearchChips('name', typed)))
      expect(after.ok).toBe(before.ok)
      if (before.ok && after.ok) expect(matchesSearch(after.node, title)).toBe(matchesSearch(before.node, title))
    }),
    { numRuns: 10_000 },
  )
})

it('decodes percent-encoded values of older versions once, and only when they are valid', () => {
  const saved = [
    has('กล้อง%23%23วงจรปิด'),
    has(['%E0%B8%81%E0%B8%82', 'ลด 50%']),
    has('100%25'),
    has('%2523'),
    has('%E0%B8'),
  ]
  expect(decodeSavedSearchChips(saved).map((item) => item.value)).toEqual([
    'กล้อง##วงจรปิด',
    ['กข', 'ลด 50%'],
    '100%',
    '%23',
    '%E0%B8',
  ])
})
