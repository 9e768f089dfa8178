import { describe, expect, test } from 'vitest'
import {
  getAcceptedRecords,
  getFeedRejections,
  readAllFeedItems,
  writeTemporaryTestFile,
} from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'
import { parseRssFeed } from '#server/catalogue/feed/sources/egp-rss.ts'

const HEADER = 'project_id,project_name,dept_name,project_money,announce_date'
const itemsOf = async (name: string, content: string) =>
  readAllFeedItems((await openFeedFile(writeTemporaryTestFile(name, content))).source)

describe('R36: a hostile table', () => {
  test('with ten thousand columns is read by its known ones', async () => {
    const more = Array.from({ length: 10_000 }, (_, at) => `x${at}`)
    const items = await itemsOf(
      'wide.csv',
      `${HEADER},${more.join(',')}\n68010000001,ซื้อ,กรม,100,2025-01-02,${more.join(',')}\n`,
    )
    expect(getAcceptedRecords(items)).toMatchObject([{ projectId: '68010000001', name: 'ซื้อ' }])
  })

  test('without a required column is rejected as a whole', async () => {
    await expect(itemsOf('poor.csv', 'project_name,dept_name\nซื้อ,กรม\n')).rejects.toThrow(/project_id/)
  })

  test('with mixed Buddhist and Christian years gives one calendar', async () => {
    const rows = ['2568-01-02', '2025-01-02', '02/01/2568', '02/01/2025'].map(
      (day, at) => `6801000000${at},ซื้อ,กรม,1,${day}`,
    )
    const items = await itemsOf('years.csv', `${HEADER}\n${rows.join('\n')}\n`)
    expect(getFeedRejections(items)).toEqual([])
    expect(new Set(getAcceptedRecords(items).map((record) => JSON.stringify({ ...record, projectId: '' }))).size).toBe(
      1,
    )
  })

  test('with NUL bytes, invalid values or a huge field loses only the affected rows', async () => {
    const rows = [
      '68010000001,ซื้อ,กรม,100,2025-01-02',
      '68010000002,ซื้อ\0รถ,กรม,100,2025-01-02',
      `68010000003,${'ก'.repeat(300_000)},กรม,100,2025-01-02`,
      '68010000004,ซื้อ,กรม,1e400,2025-01-02',
      '68010000005,ซื้อ,กรม,100,2025-13-45',
      '68010000006,ซื้อ,กรม,100,2025-01-02',
    ]
    const items = await itemsOf('odd.csv', `${HEADER}\n${rows.join('\n')}\n`)
    const taken = getAcceptedRecords(items).map(({ projectId }) => projectId)
    expect(taken).toEqual(expect.arrayContaining(['68010000001', '68010000006']))
    expect(getFeedRejections(items).map(({ line }) => line)).toEqual([3, 4])
    expect(getAcceptedRecords(items).flatMap(({ doubts = [] }) => doubts.map(({ kind }) => kind))).toEqual([
      'amount_unreadable',
      'date_impossible',
    ])
    for (const { raw } of getFeedRejections(items)) expect(raw.length).toBeLessThanOrEqual(20_001)
  })
})

describe('R36: a hostile feed', () => {
  const item = (title: string) =>
    `<item><title>${title}</title><description>68010000001, e-bidding, ประกาศเชิญชวน</description><pubDate>2025-01-02</pubDate></item>`
  const feed = (head: string, title: string) =>
    `<?xml version="1.0"?>\n${head}<rss><channel>${item(title)}</channel></rss>`

  test('with exponential entities is not expanded', () => {
    const entities = Array.from({ length: 9 }, (_, at) => `<!ENTITY e${at + 1} "${`&e${at};`.repeat(10)}">`)
    const laughs = `<!DOCTYPE rss [<!ENTITY e0 "${'ฮา'.repeat(10)}">${entities.join('')}]>`
    const read = () => JSON.stringify(parseRssFeed(feed(laughs, '&e9;'), {}))
    let size = 0
    try {
      size = read().length
    } catch (error) {
      expect(error).toBeInstanceOf(Error)
    }
    expect(size).toBeLessThan(2_000)
  })

  test('cannot read local files through entities', () => {
    const outside = '<!DOCTYPE rss [<!ENTITY file SYSTEM "file:///etc/hostname">]>'
    let output = ''
    try {
      output = JSON.stringify(parseRssFeed(feed(outside, 'ก &file; ข'), {}))
    } catch (error) {
      output = String(error)
    }
    expect(output).not.toBe('')
    expect(output).not.toContain(process.env.HOSTNAME ?? 'no name')
    expect(output.includes('&file;') || /ENTITY|entit/i.test(output)).toBe(true)
  })
})
