import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { writeTemporaryTestFile } from './feed-for-tests.ts'
import { openFeedFile } from './open-feed-file.ts'

const CSV = '\ufeff"project_id","project_name",dept_name\n68010000001,ซื้อ,กรม\n'

describe('source detection by content', () => {
  test.each([
    ['anything.txt', CSV, 'cgd-csv'],
    ['anything.gz', gzipSync(CSV), 'cgd-csv'],
    ['a.json', '\ufeff {"code":200,"result":[]}', 'cgd-json'],
    ['a.json', '{"code":500,"status":false,"msg":"down"}', 'cgd-json'],
    ['a.csv', '{"version":"1.1","releases":[]}', 'ocds'],
    ['a', '<?xml version="1.0"?><rss><channel></channel></rss>', 'egp-rss'],
  ])('%s', async (name, content, source) => {
    expect((await openFeedFile(writeTemporaryTestFile(name, content))).source.name).toBe(source)
  })

  test('fingerprints are equal for equal content, and differ by content or agency', async () => {
    const print = async (content: string, deptName?: string) =>
      (await openFeedFile(writeTemporaryTestFile('a.csv', content), { source: 'egp-rss', deptName })).fingerprint
    expect(await print(CSV)).toBe(await print(CSV))
    expect(await print(CSV)).not.toBe(await print(`${CSV} `))
    expect(await print(CSV)).not.toBe(await print(CSV, 'กรม'))
  })
})

describe('invalid feeds report what was found', () => {
  test.each([
    [
      'page.csv',
      '<!DOCTYPE html><html><head><title>503 Service Unavailable</title>',
      /^บรรทัดที่ 1: เป็นหน้าเว็บ HTML ไม่ใช่ข้อมูล \(503 Service/,
    ],
    ['a.xml', '<?xml version="1.0"?><svg/>', /XML ที่ไม่ใช่ RSS/],
    ['a.csv', 'ชื่อ,อายุ\nก,1', /^บรรทัดที่ 1: .*เห็น "ชื่อ,อายุ ก,1"/],
    ['a.json', '[1,2]', /JSON ที่ไม่ใช่ทั้ง OCDS และ CGD API/],
    ['a.bin', Buffer.from([0, 1, 2, 3, 255, 254]), /ไม่ใช่ไฟล์ข้อความ/],
    ['empty.csv', '', /ว่างเปล่า/],
    ['cut.gz', gzipSync(CSV).subarray(0, 20), /ไฟล์เสียหายหรือขาดตอนหลังไบต์ที่ \d/],
  ])('%s', async (name, content, message) => {
    await expect(openFeedFile(writeTemporaryTestFile(name, content))).rejects.toThrow(message)
  })

  test('a missing file, a folder, an unknown source', async () => {
    await expect(openFeedFile('/nowhere/file.csv')).rejects.toThrow('ไม่พบไฟล์ /nowhere/file.csv')
    await expect(openFeedFile('/')).rejects.toThrow(/ไม่ใช่ไฟล์/)
    await expect(openFeedFile(writeTemporaryTestFile('a.csv', CSV), { source: 'excel' })).rejects.toThrow(
      /ไม่รู้จักแหล่งข้อมูล "excel"/,
    )
  })
})
