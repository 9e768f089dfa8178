import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  getBuiltInKeywordExpanderName,
  loadDefaultTermModel,
  loadTermModelMetadata,
  TERM_MODEL_FILES,
  TERM_MODEL_FOLDER,
  VectorTable,
} from './term-model.ts'

describe('the shipped model', () => {
  test('is at most 6 MB including the dictionary', () => {
    const sizes = readdirSync(TERM_MODEL_FOLDER).map((name) => statSync(path.join(TERM_MODEL_FOLDER, name)).size)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(6_000_000)
  })

  test('has one row of each width per unit', () => {
    const { words, subword, context } = loadDefaultTermModel()
    const size = (name: string) => statSync(path.join(TERM_MODEL_FOLDER, name)).size
    expect(words.length).toBeGreaterThan(10_000)
    expect(size(TERM_MODEL_FILES.subword)).toBe(words.length * subword.width)
    expect(size(TERM_MODEL_FILES.context)).toBe(words.length * context.width)
    expect([subword.width, context.width]).toEqual([100, 128])
    expect(new Set(words).size).toBe(words.length)
  })

  test('names no person: no unit begins with a title and a name', () => {
    const persons = loadDefaultTermModel().words.filter((word) =>
      /^(?:นาย|นางสาว|เด็กชาย|เด็กหญิง)(?!ก|ทะเบียน|หน้า|ช่าง|จ้าง|แพทย์|ทหาร|ตรวจ|อำเภอ)./.test(word),
    )
    expect(persons).toEqual([])
  })

  test('names its source and the number of titles it was trained on', () => {
    const readme = readFileSync(path.join(TERM_MODEL_FOLDER, 'README.md'), 'utf8')
    expect(readme).toContain('กรมบัญชีกลาง')
    expect(readme).toContain('egp-contact-2568')
    expect(readme).toContain('CC BY')
    expect(readme).toContain(loadTermModelMetadata().titles.toLocaleString('en-US'))
    expect(getBuiltInKeywordExpanderName()).toContain(loadTermModelMetadata().titles.toLocaleString('en-US'))
  })
})

describe('VectorTable', () => {
  test('compares directions regardless of length', () => {
    const table = new VectorTable(Int8Array.from([10, 0, 100, 0, 0, 7, -5, 0]), 4)
    const close = table.similarities(table.blend([0], [1]))
    expect([...close].map((value) => Math.round(value * 1000) / 1000)).toEqual([1, 1, 0, -1])
  })

  test('refuses a file of the wrong size', () => {
    expect(() => new VectorTable(new Int8Array(7), 2)).toThrow('7 bytes')
  })
})
