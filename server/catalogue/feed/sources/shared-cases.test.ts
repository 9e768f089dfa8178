import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { getAcceptedRecords, getFeedRejections, readAllFeedItems } from '#server/catalogue/feed/feed-for-tests.ts'
import { openFeedFile } from '#server/catalogue/feed/open-feed-file.ts'

const CASES = path.join(import.meta.dirname, '../../../../../shared/cases')
const isHere = existsSync(CASES)
if (!isHere) console.warn('\n*** The shared cases are not here: the tests on them are SKIPPED. ***\n')

const read = async (name: string) => readAllFeedItems((await openFeedFile(path.join(CASES, name))).source)
const doubtsOf = async (name: string) =>
  getAcceptedRecords(await read(name)).flatMap(({ doubts = [] }) => doubts.map(({ kind }) => kind))

describe.skipIf(!isHere)('the shared cases', () => {
  test.each([
    ['01-sara-am/control-composed.csv', 5, 0],
    ['01-sara-am/decomposed.csv', 5, 0],
    ['02-excel-dates/dates.csv', 10, 0],
    ['03-tin-lost-zero/tins.csv', 9, 0],
    ['04-contract-no/many-winners.csv', 5, 0],
    ['05-separators/mac-cr.csv', 3, 0],
    ['05-separators/semicolon.csv', 3, 0],
    ['06-header-and-tail/title-rows.csv', 3, 0],
    ['06-header-and-tail/total-row.csv', 3, 1],
    ['06-header-and-tail/trailing-comma.csv', 3, 0],
    ['07-tis620-nbsp/nbsp.csv', 5, 0],
    ['08-xlsx-utf16/contracts.xlsx', 3, 0],
    ['08-xlsx-utf16/contracts.csv.zip', 1, 0],
    ['09-amounts/amounts.csv', 11, 0],
    ['10-impossible-dates/dates.csv', 10, 0],
    ['11-jsonl/compiled-releases.jsonl', 3, 0],
    ['12-records/embedded-only.json', 1, 0],
    ['12-records/incomplete-compiled.json', 1, 0],
    ['13-tenderers-object/bids.json', 1, 0],
    ['14-out-of-order/newest-first.json', 2, 0],
    ['15-consortium/joint-venture.csv', 3, 0],
    ['16-lots/one-contract-two-lots.json', 1, 0],
    ['17-utc-end-of-day/deadlines.json', 5, 0],
    ['18-rss-ampersand/D0-ampersand.xml', 3, 0],
    ['19-rss-utf8/declares-utf8.xml', 1, 0],
    ['35-company-spellings/winners.csv', 14, 0],
  ])('%s: imports %i, quarantines %i', async (name, taken, quarantined) => {
    const items = await read(name)
    expect([getAcceptedRecords(items).length, getFeedRejections(items).length]).toEqual([taken, quarantined])
    expect(getAcceptedRecords(items).every(({ name: title }) => title !== undefined && /[ก-๛]/.test(title))).toBe(true)
  })

  test('composed and decomposed sara am read the same', async () => {
    const [composed, decomposed] = [
      await read('01-sara-am/control-composed.csv'),
      await read('01-sara-am/decomposed.csv'),
    ]
    expect(decomposed).toEqual(composed)
    expect(await read('07-tis620-nbsp/nbsp.csv')).toEqual(await read('07-tis620-nbsp/control-utf8.csv'))
  })

  test('repairs or doubts dates, tax ids and amounts by kind', async () => {
    const signed = getAcceptedRecords(await read('02-excel-dates/dates.csv')).map(
      ({ contracts }) => contracts?.[0]?.signedOn,
    )
    expect(new Set(signed)).toEqual(new Set(['2025-02-07']))
    const tins = getAcceptedRecords(await read('03-tin-lost-zero/tins.csv')).map(
      ({ contracts }) => contracts?.[0]?.winnerTin,
    )
    expect(tins.filter((tin) => tin === '0105999000032')).toHaveLength(7)
    expect(await doubtsOf('09-amounts/amounts.csv')).toEqual([
      ...['amount_is_id', 'amount_is_id', 'amount_too_high', 'amount_too_high', 'amount_too_low', 'amount_too_low'],
      'amount_zero',
    ])
    expect(await doubtsOf('10-impossible-dates/dates.csv')).toEqual(Array(9).fill('date_impossible'))
  })
})
