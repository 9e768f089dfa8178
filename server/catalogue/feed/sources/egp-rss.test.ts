import { expect, test } from 'vitest'
import { repairRssXml } from './egp-rss.ts'

test('replaces exactly the control characters that XML forbids', () => {
  const allowed = ['\t', '\n', '\r']
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code)
    if (character === '&' || character === '<') continue
    const isForbidden = code < 0x20 && !allowed.includes(character)
    if (repairRssXml(character) !== (isForbidden ? ' ' : character)) expect.fail(`U+${code.toString(16)}`)
  }
})
