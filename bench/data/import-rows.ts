import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readCsvRows } from '#server/catalogue/feed/file/csv-rows.ts'
import { readUnpackedBytes } from '#server/catalogue/feed/file/feed-file.ts'
import { readTextLines } from '#server/catalogue/feed/file/text-lines.ts'

const WORKS = ['ก่อสร้างถนนคอนกรีตเสริมเหล็ก', 'ปรับปรุงอาคารสำนักงาน', 'ซ่อมแซมระบบประปาหมู่บ้าน', 'ขุดลอกคลองส่งน้ำ']
const PROVINCES = ['เชียงใหม่', 'ขอนแก่น', 'สงขลา', 'กรุงเทพมหานคร', 'ระยอง', 'ราชบุรี']
const HEADER =
  'project_id,project_name,project_type_name,dept_name,dept_sub_name,purchase_method_name,announce_date,project_money,price_build,' +
  'sum_price_agree,budget_year,province,district,subdistrict,project_status,winner_tin,winner,contract_no,contract_date,' +
  'contract_finish_date,contract_price_agree,contract_status'

/**
 * Writes a clean CGD file of `count` made-up contracts, shaped like the real ones (95-character titles, 1 contract,
 * 3,000 departments).
 */
export async function writeImportRows(file: string, count: number): Promise<void> {
  await pipeline(Readable.from(rows(count)), createWriteStream(file))
}

function* rows(count: number): Generator<string> {
  yield `\ufeff${HEADER}\n`
  for (let index = 0; index < count; index += 1) {
    const work = WORKS[index % WORKS.length]!
    const province = PROVINCES[index % PROVINCES.length]!
    const money = 500_000 + ((index * 7919) % 9_000_000)
    const agreed = (money * 0.93).toFixed(2)
    const day = String((index % 27) + 1).padStart(2, '0')
    const name = `ประกวดราคาจ้างก่อสร้าง${work} สายที่ ${index} หมู่ที่ ${index % 20} ตำบลตัวอย่าง จังหวัด${province} ด้วยวิธีประกวดราคาอิเล็กทรอนิกส์ (e-bidding)`
    const cells = [
      `68019${String(index).padStart(6, '0')}`,
      name,
      'จ้างก่อสร้าง',
      'องค์การบริหารส่วนจังหวัดตัวอย่าง',
      `สำนักงานตัวอย่าง ${index % 3_000}`,
      'ประกวดราคาอิเล็กทรอนิกส์ (e-bidding)',
      `2025-01-${day}`,
      money,
      money,
      agreed,
      2568,
      province,
      'เมือง',
      'ในเมือง',
      'ระหว่างดำเนินการ',
      '0105523002118',
      `บริษัท ตัวอย่าง ${index % 2_000} จำกัด`,
      `${index}/2568`,
      `2025-03-${day}`,
      `2025-09-${day}`,
      agreed,
      'ระหว่างดำเนินการ',
    ]
    yield `${cells.join(',')}\n`
  }
}

/**
 * Writes a clean CGD file with every `step`th row of another one and its budget raised by one baht: a day with that
 * many changed projects.
 */
export async function writeChangedRows(from: string, to: string, step: number): Promise<void> {
  await pipeline(Readable.from(changed(from, step)), createWriteStream(to))
}

async function* changed(from: string, step: number): AsyncGenerator<string> {
  let [budget, count] = [-1, 0]
  for await (const row of readCsvRows(readTextLines(readUnpackedBytes(from)))) {
    if ('broken' in row) continue
    const cells = row.cells.map((cell) => cell.trim())
    if (count === 0) budget = cells.indexOf('project_money')
    else cells[budget] = String(Number(cells[budget]) + 1)
    if (count % step === 0) yield `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`
    count += 1
  }
}
