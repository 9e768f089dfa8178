import iconv from 'iconv-lite'
import { describe, expect, test } from 'vitest'
import { UnknownEncodingError } from '#server/catalogue/feed/file/encoding.ts'
import { parseRssResponse } from './egp-rss-response.ts'

const item = (title: string, link = 'https://e.example/a') =>
  `<item><title>${title}</title><link>${link}</link><description>69119901801, คัดเลือก, ประกาศเชิญชวน</description><pubDate>2026-11-27</pubDate></item>`
const feed = (items: readonly string[], encoding = 'windows-874') =>
  `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>e-GP</title>${items.join('')}</channel></rss>`
const TITLE = 'ประกวดราคาซื้อเครื่องทดสอบ'
const thai = (text: string) => iconv.encode(text, 'win874')
const titlesOf = (bytes: Uint8Array) => parseRssResponse(bytes).announcements.map(({ title }) => title)

describe('invalid XML characters', () => {
  test.each([
    [`${TITLE} A & B`, `${TITLE} A & B`],
    [`${TITLE} R&D`, `${TITLE} R&D`],
    [`${TITLE} ขนาด < 5 นิ้ว`, `${TITLE} ขนาด < 5 นิ้ว`],
    [`${TITLE} <5 kg & >2 kg`, `${TITLE} <5 kg & >2 kg`],
    [`${TITLE}\u0007 จอ\u000b`, `${TITLE} จอ`],
    [`${TITLE} A &amp; B &#38; C`, `${TITLE} A & B & C`],
  ])('reads %j as text', (title, read) => {
    expect(titlesOf(thai(feed([item(title), item(TITLE)])))).toEqual([read, TITLE])
  })

  test('reads a CDATA section as it is', () => {
    const link = 'https://e.example/a?x=1&y=2'
    const bytes = thai(feed([item(`<![CDATA[${TITLE} A & B <5 kg]]>`, `<![CDATA[${link}]]>`)]))
    expect(parseRssResponse(bytes).announcements).toMatchObject([{ title: `${TITLE} A & B <5 kg`, link }])
  })

  test('keeps a bare & in a link', () => {
    const link = 'https://e.example/a?x=1&y=2'
    expect(parseRssResponse(thai(feed([item(TITLE, link)]))).announcements[0]?.link).toBe(link)
  })

  test('counts only the item that is still invalid', () => {
    const { announcements, rejected } = parseRssResponse(thai(feed([item(`${TITLE} <link>`), item(TITLE)])))
    expect([announcements.map(({ title }) => title), rejected.length]).toEqual([[TITLE], 1])
  })

  test.each(['<item></item>', '<item>69119901801</item>', '<item> </item>'])(
    'rejects %j, which has no tags, with a reason that names a field',
    (bare) => {
      const { announcements, rejected } = parseRssResponse(thai(feed([bare, item(TITLE)])))
      expect(announcements.map(({ title }) => title)).toEqual([TITLE])
      expect(rejected).toEqual([expect.stringMatching(/description|title/)])
    },
  )

  test('rejects a truncated response as a whole', () => {
    expect(() => parseRssResponse(thai(feed([item(TITLE)])).subarray(0, -30))).toThrow(/XML เสียที่บรรทัด/)
  })
})

describe('response encoding', () => {
  test.each([
    ['UTF-8 that says so', Buffer.from(feed([item(TITLE)], 'UTF-8'))],
    ['UTF-8 that says windows-874', Buffer.from(feed([item(TITLE)]))],
    ['windows-874 that says UTF-8', thai(feed([item(TITLE)], 'UTF-8'))],
    ['UTF-16', Buffer.from(`\ufeff${feed([item(TITLE)], 'UTF-16')}`, 'utf16le')],
  ])('reads %s by its bytes', (_, bytes) => {
    expect(titlesOf(bytes)).toEqual([TITLE])
  })

  test('rejects only the item in another encoding, or stores nothing', () => {
    const [head = '', tail = ''] = feed([item(TITLE), item(TITLE), 'x']).split('x</')
    const utf8 = parseRssResponse(Buffer.concat([Buffer.from(head), thai(item(TITLE)), Buffer.from(`</${tail}`)]))
    expect([utf8.announcements.length, utf8.rejected]).toEqual([2, ['มีไบต์ที่ถอดเป็นตัวอักษรไม่ได้ในประกาศ']])
    const tis = Buffer.concat([thai(head), Buffer.from(item('ซื้อเก้าอี้')), thai(`</${tail}`)])
    expect(() => parseRssResponse(tis)).toThrow(UnknownEncodingError)
  })

  test.each([
    ['bytes of no encoding', Buffer.concat([thai(feed([item(TITLE)])), Buffer.from([0x81, 0x8d, 0xfd, 0xfe, 0xff])])],
    ['Thai that was read as Latin-1 before', Buffer.from(feed([item(thai(TITLE).toString('latin1'))], 'UTF-8'))],
    ['Thai that was read as Latin-1 twice', Buffer.from(feed([item(Buffer.from(TITLE).toString('latin1'))], 'UTF-8'))],
  ])('stores nothing from %s', (_, bytes) => {
    expect(() => parseRssResponse(bytes)).toThrow(UnknownEncodingError)
  })
})
