import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { measureCpuMs } from '../../test/processor-time.ts'
import { formatSearchNode } from './format-search-node.ts'
import { parseSearchExpression, SEARCH_LIMITS, type SearchNode } from './search-grammar.ts'

/** Formats a parsed search with all brackets, as in the tables of product 6.1. */
function read(node: SearchNode | null): string {
  if (node === null) return 'ALL'
  if (node.kind === 'term') return node.quoted ? `"${node.text}"` : node.text
  if (node.kind === 'not') return `(${read(node.keep)} NOT ${read(node.drop)})`
  return `(${node.parts.map(read).join(node.kind === 'and' ? ' AND ' : ' OR ')})`
}

function readText(text: string): string {
  const parsed = parseSearchExpression(text)
  return parsed.ok ? read(parsed.node) : `${parsed.error.code} ${parsed.error.position}`
}

describe('parses expressions as in product 6.1', () => {
  it.each([
    ['กล้อง##วงจรปิด', '(กล้อง AND วงจรปิด)'],
    ['กล้อง||CCTV', '(กล้อง OR CCTV)'],
    ['กล้อง##วงจรปิด||CCTV', '((กล้อง AND วงจรปิด) OR CCTV)'],
    ['(กล้อง||CCTV)##ติดตั้ง', '((กล้อง OR CCTV) AND ติดตั้ง)'],
    ['กล้อง||CCTV<<ซ่อม', '((กล้อง OR CCTV) NOT ซ่อม)'],
    ['กล้อง||CCTV<<ซ่อม<<เช่า', '(((กล้อง OR CCTV) NOT ซ่อม) NOT เช่า)'],
    ['กล้อง||CCTV<<ซ่อม||เช่า', '((กล้อง OR CCTV) NOT (ซ่อม OR เช่า))'],
    ['กล้อง||(CCTV<<ซ่อม)', '(กล้อง OR (CCTV NOT ซ่อม))'],
    ['<<ซ่อม', '(ALL NOT ซ่อม)'],
    ['คอมพิวเตอร์ \\(จอ 19 นิ้ว\\)', 'คอมพิวเตอร์ (จอ 19 นิ้ว)'],
    ['“กล้องวงจรปิด 10 ตัว”', '"กล้องวงจรปิด 10 ตัว"'],
    ['「กล้องวงจรปิด 10 ตัว」', '"กล้องวงจรปิด 10 ตัว"'],
    ['‹กล้องวงจรปิด 10 ตัว›', '"กล้องวงจรปิด 10 ตัว"'],
    ['«กล้อง»||”CCTV”', '("กล้อง" OR "CCTV")'],
    ['"กล้อง 10 ตัว”', '"กล้อง 10 ตัว"'],
    ['＂กล้อง＂', '"กล้อง"'],
    ['กล้อง＃＃ติดตั้ง', '(กล้อง AND ติดตั้ง)'],
    ['（กล้อง｜｜CCTV）＃＃ติดตั้ง＜＜ซ่อม', '(((กล้อง OR CCTV) AND ติดตั้ง) NOT ซ่อม)'],
    ['กล้อง | | CCTV # # ติดตั้ง', '(กล้อง OR (CCTV AND ติดตั้ง))'],
    ['กล้อง‖CCTV≪ซ่อม', '((กล้อง OR CCTV) NOT ซ่อม)'],
    ['กล้อง││CCTV⟪ซ่อม', '((กล้อง OR CCTV) NOT ซ่อม)'],
    ['กล้องǁCCTV﹟﹟ซ่อม', '(กล้อง OR (CCTV AND ซ่อม))'],
    ['\ufeffกล้อง##ติดตั้ง', '(กล้อง AND ติดตั้ง)'],
    ['C# ## PHP', '(C# AND PHP)'],
    ['จัดงาน “Let’s Test 2026”', 'จัดงาน “Let’s Test 2026”'],
    ['“ก้าวใหม่” ครั้งที่ 2##จัดงาน', '(“ก้าวใหม่” ครั้งที่ 2 AND จัดงาน)'],
    ['ท่อ 6”', 'ท่อ 6”'],
    ['\\“กล้อง\\”', '“กล้อง”'],
    ['(<<ซ่อม)##กล้อง', '((ALL NOT ซ่อม) AND กล้อง)'],
    ['C#||A|B<x', '(C# OR A|B<x)'],
    ['  กล้อง  ##  CCTV  ', '(กล้อง AND CCTV)'],
    ['"กล้อง  วงจรปิด"||CCTV', '("กล้อง  วงจรปิด" OR CCTV)'],
    ['"a\\"b\\\\c\\d"', '"a"b\\c\\d"'],
    ['"a##b"', '"a##b"'],
    ['กล้อง\\#\\#วงจรปิด', 'กล้อง##วงจรปิด'],
    ['กล้อง\\##วงจร', 'กล้อง##วงจร'],
    ['กล้อง\\', 'กล้อง\\'],
    ['((((((กล้อง)))))', 'E_DEPTH 5'],
    ['(((((กล้อง)))))', 'กล้อง'],
  ])('%s → %s', (text, meaning) => {
    expect(readText(text)).toBe(meaning)
  })
})

describe('rejects invalid expressions with code and position', () => {
  it.each([
    ['(กล้อง||CCTV', 'E_BRACKET 0'],
    ['กล้อง)', 'E_BRACKET 5'],
    ['()', 'E_BRACKET 1'],
    ['กล้อง##', 'E_OPERAND 7'],
    ['##กล้อง', 'E_OPERAND 0'],
    ['กล้อง<<', 'E_OPERAND 7'],
    ['กล้อง####CCTV', 'E_OPERATOR 5'],
    ['กล้อง|||CCTV', 'E_OPERATOR 5'],
    ['"กล้อง', 'E_QUOTE 0'],
    ['ก', 'E_SHORT 0'],
    ['((((((กล้อง))))))', 'E_DEPTH 5'],
    ['', 'E_EMPTY 0'],
    ['   ', 'E_EMPTY 0'],
    ['(', 'E_BRACKET 0'],
    [')กล้อง', 'E_BRACKET 0'],
    ['กล้อง##()', 'E_BRACKET 8'],
    ['กล้อง##)', 'E_OPERAND 7'],
    ['(กล้อง##)', 'E_OPERAND 8'],
    ['<<', 'E_OPERAND 2'],
    ['กล้อง<<##CCTV', 'E_OPERAND 7'],
    ['กล้อง## ##CCTV', 'E_OPERAND 8'],
    ['กล้อง<<<<CCTV', 'E_OPERATOR 5'],
    ['กล้อง (CCTV)', 'E_OPERATOR 6'],
    ['(กล้อง)(CCTV)', 'E_OPERATOR 7'],
    ['"กล้อง" CCTV', 'E_OPERATOR 8'],
    ['(กล้อง "ab")', 'E_OPERATOR 7'],
    ['จอ 19"', 'E_QUOTE 5'],
    ['กล้อง##  ก', 'E_SHORT 9'],
    ['""', 'E_SHORT 0'],
    ['" ก "', 'E_SHORT 0'],
    ['ก \u200b', 'E_SHORT 0'],
    ['ก'.repeat(501), 'E_LENGTH 500'],
    [Array.from({ length: 31 }, () => 'กข').join('||'), 'E_TERMS 120'],
  ])('%s → %s', (text, refusal) => {
    expect(readText(text)).toBe(refusal)
  })

  it('accepts 500 characters and 30 terms', () => {
    expect(parseSearchExpression('ก'.repeat(500)).ok).toBe(true)
    expect(parseSearchExpression(Array.from({ length: 30 }, () => 'กข').join('##')).ok).toBe(true)
  })

  it('accepts 12 terms when all texts are searched', () => {
    const words = (count: number) => Array.from({ length: count }, () => 'กข').join('||')
    expect(parseSearchExpression(words(12), true).ok).toBe(true)
    expect(parseSearchExpression(words(13), true)).toEqual({
      ok: false,
      error: { code: 'E_TERMS_EVERYWHERE', position: 48 },
    })
  })

  it('rejects 100,000 characters before parsing them (R30)', () => {
    for (const sign of ['(', '"', '\\', '##ก', '<<', '(<<']) {
      const needed = measureCpuMs(() => expect(readText(sign.repeat(100_000))).toBe('E_LENGTH 500'))
      expect(needed).toBeLessThan(50)
    }
  })
})

it('detects ## and || mixed without brackets', () => {
  const isMixed = (text: string) => {
    const parsed = parseSearchExpression(text)
    return parsed.ok && parsed.mixed
  }
  for (const text of ['aa##bb||cc', 'aa||bb##cc', 'aa<<bb##cc||dd', '(aa##bb||cc)##dd'])
    expect(isMixed(text), text).toBe(true)
  for (const text of ['(aa##bb)||cc', 'aa##(bb||cc)', 'aa##bb', 'aa||bb<<cc', 'aa##bb<<cc||dd'])
    expect(isMixed(text), text).toBe(false)
})

const termNode = fc.oneof(
  fc
    .stringMatching(/^[กขa-z#|<()"\\ ]{2,8}$/)
    .filter((text) => text.trim() === text && text.replaceAll(' ', '').length > 1)
    .map((text): SearchNode => ({ kind: 'term', text, quoted: false })),
  fc
    .stringMatching(/^[กขa-z#|<()"\\ ]{2,8}$/)
    .filter((text) => text.replaceAll(' ', '').length > 1)
    .map((text): SearchNode => ({ kind: 'term', text, quoted: true })),
)
const { node: searchNode } = fc.letrec<{ node: SearchNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'node' },
    termNode,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      parts: fc.array(tie('node'), { minLength: 2, maxLength: 3, depthIdentifier: 'node' }),
    }),
    fc.record({ kind: fc.constant('not' as const), keep: fc.option(tie('node')), drop: tie('node') }),
  ),
}))

it('a printed node parses to the same node at any nesting', () => {
  let compared = 0
  fc.assert(
    fc.property(searchNode, fc.boolean(), (node, explicit) => {
      const parsed = parseSearchExpression(formatSearchNode(node, explicit))
      if (!parsed.ok) return expect(['E_LENGTH', 'E_TERMS', 'E_DEPTH']).toContain(parsed.error.code)
      compared += 1
      expect(parsed.node).toEqual(node)
    }),
    { numRuns: 3000 },
  )
  expect(compared).toBeGreaterThan(1500)
})

it('never throws, and every position is within the text', () => {
  const signs = fc.string({
    unit: fc.constantFrom('#', '##', '|', '||', '<<', '(', ')', '"', '\\', ' ', 'กล', 'ab', 'ก', '\u200b'),
    maxLength: 60,
  })
  fc.assert(
    fc.property(fc.oneof(signs, fc.string({ unit: 'binary' })), (text) => {
      const parsed = parseSearchExpression(text)
      if (!parsed.ok) expect(parsed.error.position).toBeLessThanOrEqual(Math.min(text.length, SEARCH_LIMITS.characters))
    }),
    { numRuns: 5000 },
  )
})
