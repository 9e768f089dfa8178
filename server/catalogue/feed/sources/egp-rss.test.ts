import { expect, test } from 'vitest'
import { parseRssFeed, repairRssXml } from './egp-rss.ts'

test('replaces exactly the control characters that XML forbids', () => {
  const allowed = ['\t', '\n', '\r']
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code)
    if (character === '&' || character === '<') continue
    const isForbidden = code < 0x20 && !allowed.includes(character)
    if (repairRssXml(character) !== (isForbidden ? ' ' : character)) expect.fail(`U+${code.toString(16)}`)
  }
})

test.each([
  ['ซื้อเครื่องมือ R&D', 1],
  ['ซื้อจอ < 5 นิ้ว', 1],
  ['ซื้อจอ\u0007', 1],
  ['ซื้อเครื่องมือ R&amp;D', 0],
])('a file with %j notes its repair once', (title, count) => {
  const item = (name: string) =>
    `<item><title>${name}</title><link>https://e.example/a</link><description>69119901801, คัดเลือก, ประกาศเชิญชวน</description><pubDate>2026-11-27</pubDate></item>`
  const items = parseRssFeed(`<rss><channel><item></item>${item(title)}${item(title)}</channel></rss>`, {})
  const notes = items.flatMap((read) => ('record' in read ? (read.notes ?? []) : []))
  expect(notes.map(({ kind }) => kind)).toEqual(Array.from({ length: count }, () => 'file_layout'))
})
