import { expect, test } from 'vitest'
import { stripDirectionMarks } from '#contract/direction-marks.ts'
import { escapeXmlText, stripIllegalXml } from './sheet-xml.ts'

/** True for a code that the production `Char` of XML 1.0 allows, except characters above U+FFFF. */
const isXmlChar = (code: number) =>
  code === 0x09 ||
  code === 0x0a ||
  code === 0x0d ||
  (code >= 0x20 && code <= 0xd7ff) ||
  (code >= 0xe000 && code <= 0xfffd)

test('strips exactly the characters that XML 1.0 forbids', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code)
    const expected = isXmlChar(code) ? stripDirectionMarks(character) : ''
    if (stripIllegalXml(character) !== expected) expect.fail(`U+${code.toString(16)}`)
  }
})

test('strips unpaired surrogates and retains pairs', () => {
  expect(stripIllegalXml('\ud83d😀\ude00')).toBe('😀')
  expect(stripIllegalXml('\ud83d\u0001\ude00')).toBe('')
})

test('the fast path omits no character that has to change', () => {
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code)
    if (escapeXmlText(character) === character && stripIllegalXml(character) !== character)
      expect.fail(`U+${code.toString(16)}`)
  }
})
