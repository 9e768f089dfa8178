import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildPdfFromLines } from '#server/documents/pdf-for-tests.ts'
import { readDocument } from '#server/documents/read-document.ts'
import { decodeZipEntryName, getBundleFileRole, getZipEntryDisplayName, isUnsafeZipEntryName } from './entry-name.ts'
import { unpackBundle } from './unpack-bundle.ts'
import { buildTestZip, type ZipEntry } from './zip-for-tests.ts'

let root: string
let folder: string
let count = 0
beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'bundles-'))
})
afterAll(() => rm(root, { recursive: true }))
beforeEach(async () => {
  count += 1
  folder = path.join(root, String(count))
  await mkdir(folder)
})

async function unpack(bytes: Buffer) {
  const file = path.join(root, 'bundle.zip')
  await writeFile(file, bytes)
  return unpackBundle(file, folder)
}
const ofEntries = (...entries: ZipEntry[]) => unpack(buildTestZip(entries))

/** The file name `ร่าง TOR.pdf` in TIS-620. */
const THAI_NAME = Buffer.from([0xc3, 0xe8, 0xd2, 0xa7, ...Buffer.from(' TOR.pdf')])

test('extracts documents under generated names, and skips templates and other files', async () => {
  const pdf = buildPdfFromLines(['ขอบเขตของงาน (TOR)', 'ระยะเวลาการดำเนินงาน 270 วัน นับถัดจากวันลงนาม ในสัญญาจ้างของงาน'])
  const reading = await ofEntries(
    { name: 'annoudoc_69059000001.pdf', content: 'one' },
    { name: 'B0/', content: '' },
    { name: 'B0/Attach_TOR_1.pdf', content: pdf },
    { name: 'pB0.pdf', content: 'table' },
    { name: 'bid_bond.pdf', content: 'form' },
    { name: 'รายการ.xlsx', content: 'sheet', flags: 0x800 },
    { name: THAI_NAME, content: 'draft' },
  )
  expect(reading).toEqual({
    outcome: 'read',
    members: [
      { name: 'annoudoc_69059000001.pdf', role: 'announcement', size: 3, file: '0.pdf' },
      { name: 'Attach_TOR_1.pdf', role: 'tor', size: pdf.length, file: '1.pdf' },
      { name: 'pB0.pdf', role: 'price-table', size: 5, file: '2.pdf' },
      { name: 'bid_bond.pdf', role: 'template', size: 4 },
      { name: 'รายการ.xlsx', role: 'other', size: 5 },
      { name: 'ร่าง TOR.pdf', role: 'other', size: 5, file: '3.pdf' },
    ],
  })
  expect((await readdir(folder)).toSorted()).toEqual(['0.pdf', '1.pdf', '2.pdf', '3.pdf'])
  expect(await readFile(path.join(folder, '2.pdf'), 'utf8')).toBe('table')
  const tor = await readDocument(path.join(folder, '1.pdf'))
  expect(tor.facts.find(({ fact }) => fact === 'delivery')?.value).toEqual({
    kind: 'duration',
    count: 270,
    unit: 'day',
  })
})

describe('R63: hostile bundles yield nothing', () => {
  const zeros = Buffer.alloc(4 * 2 ** 20)
  const small = { name: 'a.pdf', content: 'a' }

  test.each<[string, () => Buffer, string]>([
    ['an empty file', () => Buffer.alloc(0), 'empty'],
    ['a page that refuses', () => Buffer.from('<!doctype html><p>Request Rejected'), 'not-a-document'],
    ['no entries', () => buildTestZip([]), 'empty'],
    ['cut off', () => buildTestZip([small]).subarray(0, 60), 'broken'],
    ['a bomb', () => buildTestZip([{ name: 'a.pdf', content: zeros }]), 'too-compressed'],
    [
      'a bomb that says it is small',
      () => buildTestZip([{ name: 'a.pdf', content: zeros, claimedSize: 1000 }]),
      'broken',
    ],
    ['a name that climbs', () => buildTestZip([small, { name: '../../etc/cron.d/a', content: 'a' }]), 'unsafe-name'],
    [
      'a name that climbs as Windows writes it',
      () => buildTestZip([{ name: '..\\a.pdf', content: 'a' }]),
      'unsafe-name',
    ],
    ['a name from the root', () => buildTestZip([{ name: '/etc/passwd', content: 'a' }]), 'unsafe-name'],
    ['201 entries', () => buildTestZip(Array.from({ length: 201 }, () => small)), 'too-many-entries'],
    [
      'more than 200 MB in all',
      () =>
        buildTestZip([
          { ...small, packed: Buffer.alloc(2 ** 20), claimedSize: 150 * 2 ** 20 },
          { ...small, packed: Buffer.alloc(2 ** 20), claimedSize: 60 * 2 ** 20 },
        ]),
      'too-large',
    ],
    ['a password', () => buildTestZip([{ ...small, flags: 1 }]), 'encrypted'],
    [
      'content that is no deflate',
      () => buildTestZip([{ ...small, packed: Buffer.from([7, 7, 7]), claimedSize: 9 }]),
      'broken',
    ],
  ])('%s', async (_name, bytes, reason) => {
    expect(await unpack(bytes())).toEqual({ outcome: 'unreadable', reason, members: [] })
    expect((await readdir(root)).every((name) => name === 'bundle.zip' || /^\d+$/.test(name))).toBe(true)
  })
})

describe('entry names', () => {
  test.each([
    ['annoudoc_1.pdf', 'announcement'],
    ['doc_1.pdf', 'bidding-document'],
    ['x/TOR final.PDF', 'tor'],
    ['pB0.pdf', 'price-table'],
    ['แบบสัญญาจ้าง.pdf', 'template'],
    ['quotation.pdf', 'template'],
    ['รูปแบบรายการ.pdf', 'other'],
  ])('%s: %s', (name, role) => {
    expect(getBundleFileRole(name)).toBe(role)
  })

  test('decodes three encodings, detects unsafe names and cleans the displayed name', () => {
    expect(decodeZipEntryName(THAI_NAME, 0)).toBe('ร่าง TOR.pdf')
    expect(decodeZipEntryName(Buffer.from('ร่าง.pdf'), 0)).toBe('ร่าง.pdf')
    expect(decodeZipEntryName(Buffer.from('a\\b.pdf'), 0)).toBe('a/b.pdf')
    expect(['..', 'a/../b', '/a', 'C:/a', 'a\0'].every(isUnsafeZipEntryName)).toBe(true)
    expect(['a..b.pdf', 'a/b', '...'].some(isUnsafeZipEntryName)).toBe(false)
    expect(getZipEntryDisplayName('a/\u202eb\n.pdf')).toBe('b.pdf')
  })
})
