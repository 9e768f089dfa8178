import { render } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { HighlightedText } from './highlighted-text.tsx'

const marked = (text: string, words: string[]) => {
  const { container } = render(<HighlightedText text={text} words={words} />)
  return { marks: [...container.querySelectorAll('mark')].map((mark) => mark.textContent), all: container.textContent }
}

test('marks every word and loses no character of the text', () => {
  const text = 'จ้างก่อสร้างถนนคอนกรีตเสริมเหล็ก พร้อมกล้อง CCTV จำนวน 12 ตัว'
  expect(marked(text, ['ถนน', 'cctv'])).toEqual({ marks: ['ถนน', 'CCTV'], all: text })
})

test('keeps markup in a name as text', () => {
  const text = '<img src=x onerror=alert(1)> กล้องวงจรปิด'
  const { marks, all } = marked(text, ['กล้อง'])
  expect(all).toBe(text)
  expect(marks).toEqual(['กล้อง'])
})

test('underlines watch words, marks searched words, and does both for a word of both kinds', () => {
  const text = 'ซื้อกล้องวงจรปิด พร้อมติดตั้ง'
  const { container } = render(<HighlightedText text={text} words={['วงจรปิด', 'ติดตั้ง']} watched={['กล้องวงจรปิด']} />)
  expect(container.textContent).toBe(text)
  const parts = [...container.querySelectorAll('mark, u')]
  expect(parts.map((part) => [part.tagName, part.textContent, part.classList.contains('underline')])).toEqual([
    ['U', 'กล้อง', true],
    ['MARK', 'วงจรปิด', true],
    ['MARK', 'ติดตั้ง', false],
  ])
})

test('leaves a text without the words unchanged', () => {
  expect(marked('จ้างเหมาทำความสะอาด', ['กล้อง']).marks).toEqual([])
})

describe('an excluding word', () => {
  const parts = (text: string, words: string[], against: string[]) => {
    const { container } = render(<HighlightedText text={text} words={words} against={against} />)
    expect(container.textContent).toBe(text)
    return [...container.querySelectorAll('mark')].map((mark) => [mark.textContent, mark.hasAttribute('data-against')])
  }

  test('is marked differently from the matched word', () => {
    expect(parts('ซื้อกล้องพร้อมซ่อมแซม', ['กล้อง'], ['ซ่อมแซม'])).toEqual([
      ['กล้อง', false],
      ['ซ่อมแซม', true],
    ])
  })

  test('takes precedence where it contains the matched word', () => {
    expect(parts('ซื้อยางรถยนต์และยา', ['ยา'], ['ยาง'])).toEqual([
      ['ยาง', true],
      ['ยา', false],
    ])
  })

  test('leaves the rest of a longer found word marked as found', () => {
    expect(parts('จ้างซ่อมแซมถนนลาดยาง', ['ซ่อมแซมถนน'], ['ถนน'])).toEqual([
      ['ซ่อมแซม', false],
      ['ถนน', true],
    ])
  })
})
