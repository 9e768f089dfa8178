import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normaliseThai } from '#contract/thai/thai-text.ts'
import { contentOf, VocabularySegmenter } from '#server/platform/text/segment.ts'

const words = ['กล้อง', 'วงจรปิด', 'กล้องวงจรปิด', 'ติดตั้ง', 'ระบบ', 'solar', 'solar cell', 'โซลาร์เซลล์']
const segmenter = new VocabularySegmenter(words, [500, 200, 300, 400, 400, 50, 40, 60])
const cut = (text: string) => segmenter.segment(text).map(({ text: unit, id }) => (id < 0 ? `?${unit}` : unit))

describe('the vocabulary cuts titles', () => {
  test('into the phrases that are likelier than their words', () => {
    expect(cut('ติดตั้งระบบกล้องวงจรปิด')).toEqual(['ติดตั้ง', 'ระบบ', 'กล้องวงจรปิด'])
  })

  test('into the words of a phrase when it is left out', () => {
    expect(segmenter.segment('กล้องวงจรปิด', words.indexOf('กล้องวงจรปิด')).map(({ text }) => text)).toEqual([
      'กล้อง',
      'วงจรปิด',
    ])
  })

  test('into Latin phrases over a blank, and loan words that a dictionary would break', () => {
    expect(cut('ติดตั้ง solar cell โซลาร์เซลล์')).toEqual(['ติดตั้ง', 'solar cell', 'โซลาร์เซลล์'])
  })

  test('keeping what it does not know in one piece, without cutting a vowel from its letter', () => {
    expect(cut('ติดตั้งผักชีระบบ')).toEqual(['ติดตั้ง', '?ผักชี', 'ระบบ'])
  })

  test('into every word that it has, however many', () => {
    const letters = [...'กขคงจชซดตถทนบปพฟภมยรลวสหอฮ']
    const many = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)))
    const large = new VocabularySegmenter(
      many,
      many.map(() => 1),
    )
    expect(many.filter((word, id) => large.segment(word)[0]?.id !== id)).toEqual([])
  })

  test('so that every unit stands where it says', () => {
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

test('what is bought is left of a title, abbreviations without dots, the method gone', () => {
  expect(contentOf(normaliseThai('ซื้อครุภัณฑ์คอมพิวเตอร์ โดยวิธีเฉพาะเจาะจง'))).toBe('ซื้อครุภัณฑ์คอมพิวเตอร์')
  expect(contentOf(normaliseThai('ก่อสร้างถนน ค.ส.ล. สายบ้านใหม่'))).toBe('ก่อสร้างถนน คสล สายบ้านใหม่')
})
