import { act, render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { tolerateBrowserPageTranslation } from './tolerate-browser-page-translation.ts'

tolerateBrowserPageTranslation()

const WAYS: Readonly<Record<string, (text: Text, font: HTMLElement) => void>> = {
  replaceWith: (text, font) => text.replaceWith(font),
  'insert and remove': (text, font) => {
    text.parentNode!.insertBefore(font, text)
    text.remove()
  },
}

const fontOf = (words: string) => {
  const outer = document.createElement('font')
  outer.append(document.createElement('font'))
  outer.firstElementChild!.textContent = `• ${words}`
  return outer
}

const settled = () => act(() => Promise.resolve())

async function translate(way: (text: Text, font: HTMLElement) => void, root: Node = document.body): Promise<void> {
  const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walk.nextNode()) {
    const text = walk.currentNode as Text
    if (text.data.trim() !== '' && !text.parentElement!.closest('font')) texts.push(text)
  }
  for (const text of texts) way(text, fontOf(text.data))
  await settled()
}

function ResultCount({ count, isOpen }: { count: number; isOpen: boolean }) {
  return (
    <section aria-label="ผล">
      {isOpen && <b>เปิดอยู่</b>}พบ {count} โครงการ
      {isOpen ? 'เปิดรับ' : null}
      <p>{count}</p>
    </section>
  )
}
const regionText = () => screen.getByRole('region', { name: 'ผล' }).textContent.replaceAll(/• ?/g, '')

test.each(Object.entries(WAYS))(
  'draws new figures, removes and inserts on a translated page: %s',
  async (_name, way) => {
    const { rerender, unmount } = render(<ResultCount count={1} isOpen />)
    await translate(way)
    expect(document.querySelectorAll('font').length).toBeGreaterThan(4)
    rerender(<ResultCount count={2} isOpen={false} />)
    await settled()
    expect(regionText()).toBe('พบ 2 โครงการ2')
    await translate(way)
    rerender(<ResultCount count={3} isOpen />)
    await settled()
    expect(regionText()).toBe('เปิดอยู่พบ 3 โครงการเปิดรับ3')
    await translate(way)
    unmount()
    expect(document.querySelector('section')).toBeNull()
  },
)

test('follows a page into a second language and back to the first', async () => {
  const { rerender, unmount } = render(<ResultCount count={1} isOpen />)
  await translate(WAYS.replaceWith!)
  for (const font of document.querySelectorAll('section font:has(> font)')) font.replaceWith(fontOf(font.textContent))
  await settled()
  rerender(<ResultCount count={2} isOpen={false} />)
  await settled()
  expect(regionText()).toBe('พบ 2 โครงการ2')
  await translate(WAYS.replaceWith!)
  for (const font of document.querySelectorAll('section font:has(> font)')) font.replaceWith(font.textContent.slice(2))
  await settled()
  rerender(<ResultCount count={3} isOpen />)
  await settled()
  expect(regionText()).toBe('เปิดอยู่พบ 3 โครงการเปิดรับ3')
  unmount()
})

test('restores every text that one element replaced', async () => {
  const { rerender, unmount } = render(<ResultCount count={1} isOpen={false} />)
  const section = screen.getByRole('region', { name: 'ผล' })
  const texts = [...section.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE) as Text[]
  const font = fontOf(texts.map(({ data }) => data).join(''))
  section.insertBefore(font, texts[0]!)
  for (const text of texts) text.remove()
  await settled()
  rerender(<ResultCount count={2} isOpen={false} />)
  await settled()
  expect(regionText()).toBe('พบ 2 โครงการ2')
  unmount()
})
