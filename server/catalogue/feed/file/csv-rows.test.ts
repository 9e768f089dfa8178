import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collectAsyncItems } from '#server/catalogue/feed/feed-for-tests.ts'
import { type CsvRow, readCsvRows } from './csv-rows.ts'
import { readTextLines } from './text-lines.ts'

async function* bytes(text: string) {
  yield Buffer.from(text)
}
const rowsOf = (text: string): Promise<CsvRow[]> => collectAsyncItems(readCsvRows(readTextLines(bytes(text))))
const cellsOf = (row: CsvRow | undefined) => (row !== undefined && 'cells' in row ? row.cells : row?.broken)

describe('rows of a table', () => {
  test('a multi-line quoted field keeps its line breaks, and its row the first line number', async () => {
    const rows = await rowsOf('a,b\n1,"x\ny ""z"""\n\n2,w\r\n')
    expect(rows.map((row) => [row.line, cellsOf(row)])).toEqual([
      [1, ['a', 'b']],
      [2, ['1', 'x\ny "z"']],
      [5, ['2', 'w']],
    ])
  })

  test('a quote inside an unquoted field is plain text', async () => {
    expect(cellsOf((await rowsOf('a,b\nท่อ 5" ยาว,2\n3,4'))[1])).toEqual(['ท่อ 5" ยาว', '2'])
  })

  test('a stray quote breaks only its own line', async () => {
    const good = Array.from({ length: 80 }, (_, index) => `${index},ok`)
    const rows = await rowsOf(['a,b', '1,2', '9,"open', ...good, '5,"quoted, fine"'].join('\n'))
    expect(rows.filter((row) => 'broken' in row)).toEqual([
      { line: 3, raw: '9,"open', broken: 'เครื่องหมายคำพูดเปิดแล้วไม่ปิด' },
    ])
    expect(rows.length).toBe(84)
    expect(cellsOf(rows.at(-1))).toEqual(['5', 'quoted, fine'])
  })

  test('a stray quote paired with a later one does not swallow the rows between', async () => {
    const rows = await rowsOf('a,b\n1,"open\n2,ok\n3,"fine"\n4,ok')
    expect(rows.map((row) => [row.line, 'cells' in row])).toEqual([
      [1, true],
      [2, false],
      [3, true],
      [4, true],
      [5, true],
    ])
  })

  test('reports a row of another width', async () => {
    expect(cellsOf((await rowsOf('a,b\n1,2,3'))[1])).toBe('มี 3 คอลัมน์ แต่หัวตารางมี 2 คอลัมน์')
  })

  test('parses well-formed tables like csv-parse', async () => {
    const cell = fc.stringMatching(/^[กขa1 ,"\n]{0,6}$/)
    const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 8 }), async (table) => {
        const text = table.map((row) => ['x', ...row].map(quoted).join(',')).join('\n')
        expect((await rowsOf(text)).map(cellsOf)).toEqual(parse(text, { record_delimiter: '\n' }))
      }),
    )
  })

  test('every line is in exactly one row or blank', async () => {
    const line = fc.stringMatching(/^[a," \r]{0,8}$/)
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 70 }), async (lines) => {
        const rows = await rowsOf(`h,h\n${lines.join('\n')}`)
        const covered = rows.flatMap((row) => row.raw.split('\n').map((_, index) => row.line + index))
        expect(new Set(covered).size).toBe(covered.length)
        const blank = lines.flatMap((text, index) => (text.trim() === '' ? [index + 2] : []))
        const all = new Set([...covered, ...blank])
        for (let number = 1; number <= lines.length + (lines.at(-1) === '' ? 0 : 1); number += 1)
          expect(all).toContain(number)
      }),
    )
  })
})
