import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { stripTitleBoilerplate, VocabularySegmenter } from '#server/platform/text/vocabulary-segmenter.ts'

const words = ['กล้อง', 'วงจรปิด', 'กล้องวงจรปิด', 'ติดตั้ง', 'ระบบ', 'solar', 'solar cell', 'โซลาร์เซลล์']
const segmenter = new VocabularySegmenter(words, [500, 200, 300, 400, 400, 50, 40, 60])
const cut = (text: string) => segmenter.segment(text).map(({ text: unit, id }) => (id < 0 ? `?${unit}` : unit))

describe('VocabularySegmenter', () => {
  test('prefers phrases that are likelier than their words', () => {
    expect(cut('ติดตั้งระบบกล้องวงจรปิด')).toEqual(['ติดตั้ง', 'ระบบ', 'กล้องวงจรปิด'])
  })

  test('splits an omitted phrase into its words', () => {
    expect(segmenter.segment('กล้องวงจรปิด', words.indexOf('กล้องวงจรปิด')).map(({ text }) => text)).toEqual([
      'กล้อง',
      'วงจรปิด',
    ])
  })

  test('keeps Latin phrases across a blank, and loan words that a dictionary would split', () => {
    expect(cut('ติดตั้ง solar cell โซลาร์เซลล์')).toEqual(['ติดตั้ง', 'solar cell', 'โซลาร์เซลล์'])
  })

  test('keeps unknown text in one piece and never separates a vowel from its letter', () => {
    expect(cut('ติดตั้งผักชีระบบ')).toEqual(['ติดตั้ง', '?ผักชี', 'ระบบ'])
  })

  test('finds every word of a very large vocabulary', () => {
    const letters = [...'กขคงจชซดตถทนบปพฟภมยรลวสหอฮ']
    const many = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)))
    const large = new VocabularySegmenter(
      many,
      many.map(() => 1),
    )
    expect(many.filter((word, id) => large.segment(word)[0]?.id !== id)).toEqual([])
  })

  test('returns units whose offsets match the text', () => {
    const pieces = fc.array(fc.constantFrom(...words, 'ผักชี', ' ', '12', 'x-ray', '(', 'เ', '่'), { maxLength: 12 })
    fc.assert(
      fc.property(pieces, (parts) => {
        const text = normaliseThai(parts.join(''))
        let last = 0
        for (const unit of segmenter.segment(text)) {
          expect(text.slice(unit.start, unit.end)).toBe(unit.text)
          expect(unit.start).toBeGreaterThanOrEqual(last)
          last = unit.end
        }
      }),
    )
  })
})

test('contentOf keeps the purchased goods, removes dots from abbreviations and drops the method', () => {
  expect(stripTitleBoilerplate(normaliseThai('ซื้อครุภัณฑ์คอมพิวเตอร์ โดยวิธีเฉพาะเจาะจง'))).toBe('ซื้อครุภัณฑ์คอมพิวเตอร์')
  expect(stripTitleBoilerplate(normaliseThai('ก่อสร้างถนน ค.ส.ล. สายบ้านใหม่'))).toBe('ก่อสร้างถนน คสล สายบ้านใหม่')
})
