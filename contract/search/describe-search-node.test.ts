import { describe, expect, it } from 'vitest'
import { describeSearchNode, describeSearchResult, suggestSearchBrackets } from './describe-search-node.ts'
import { parseSearchExpression, type SearchNode } from './search-grammar.ts'

function parsed(expression: string): SearchNode {
  const result = parseSearchExpression(expression)
  if (!result.ok) throw new Error(`${expression}: ${result.error.code}`)
  return result.node
}

describe('search echo', () => {
  it.each([
    ['กล้อง', 'มี กล้อง'],
    ['กล้อง##วงจรปิด', 'มี กล้อง และ วงจรปิด'],
    ['กล้อง||CCTV', 'มี กล้อง หรือ CCTV'],
    ['กล้อง##วงจรปิด||CCTV', 'มี (กล้อง และ วงจรปิด) หรือ CCTV'],
    ['(กล้อง||CCTV)##ติดตั้ง<<ซ่อม||เช่า', 'มี (กล้อง หรือ CCTV) และ ติดตั้ง แต่ไม่มี ซ่อม, เช่า'],
    ['กล้อง<<ซ่อม<<เช่า', 'มี กล้อง แต่ไม่มี ซ่อม, เช่า'],
    ['กล้อง||(CCTV<<ซ่อม)', 'มี กล้อง หรือ (CCTV แต่ไม่มี ซ่อม)'],
    ['<<ซ่อม', 'ไม่มี ซ่อม'],
    ['<<ซ่อม<<เช่า', 'ไม่มี ซ่อม, เช่า'],
    ['กล้อง<<(ซ่อม##เช่า)', 'มี กล้อง แต่ไม่มี (ซ่อม และ เช่า)'],
    ['"กล้อง วงจรปิด"', 'มี "กล้อง วงจรปิด"'],
  ])('reads %s as %s', (expression, words) => {
    expect(describeSearchNode(parsed(expression))).toBe(words)
  })

  it('names the field and the count', () => {
    const node = parsed('(กล้อง||CCTV)##ติดตั้ง<<ซ่อม||เช่า')
    expect(describeSearchResult('ชื่อโครงการ', node, 1237)).toBe(
      'ชื่อโครงการ: มี (กล้อง หรือ CCTV) และ ติดตั้ง แต่ไม่มี ซ่อม, เช่า — 1,237 โครงการ',
    )
    expect(describeSearchResult('ผู้ชนะ', parsed('กล้อง'), null)).toBe('ผู้ชนะ: มี กล้อง')
  })
})

it('suggestSearchBrackets adds brackets only when ## and || are mixed without any', () => {
  expect(suggestSearchBrackets('กล้อง##วงจรปิด||CCTV<<ซ่อม')).toBe('(กล้อง##วงจรปิด)||CCTV<<ซ่อม')
  expect(suggestSearchBrackets('(กล้อง||CCTV)##ติดตั้ง')).toBeNull()
  expect(suggestSearchBrackets('(กล้อง##วงจรปิด)||CCTV')).toBeNull()
  expect(suggestSearchBrackets('กล้อง||CCTV')).toBeNull()
  expect(suggestSearchBrackets('กล้อง##')).toBeNull()
})
