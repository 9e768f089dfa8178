import { act, render, screen } from '@testing-library/react'
import { Fragment } from 'react'
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

test.each(Object.entries(WAYS))('moves, adds and removes texts of a list in order: %s', async (_name, way) => {
  const List = ({ words }: { words: readonly string[] }) => (
    <section aria-label="ผล">
      {words.map((word) => (
        <Fragment key={word}>{word} </Fragment>
      ))}
    </section>
  )
  const { rerender, unmount } = render(<List words={['ก', 'ข', 'ค']} />)
  for (const words of [['ค', 'ก', 'ข'], ['ข', 'ค'], ['ง', 'ข', 'ก', 'ค'], ['ค', 'ข', 'ก', 'ง'], ['ก']]) {
    await translate(way)
    rerender(<List words={words} />)
    await settled()
    expect(regionText()).toBe(words.map((word) => `${word} `).join(''))
  }
  unmount()
})

test('survives a translator that moves elements into its own and joins sentences', async () => {
  const Row = ({ count, isStarred }: { count: number; isStarred: boolean }) => (
    <section aria-label="ผล">
      พบ <b>{count}</b> โครงการ{isStarred && <i>ติดดาว</i>} ใน {count + 1} หน่วยงาน
    </section>
  )
  const { rerender, unmount } = render(<Row count={1} isStarred={false} />)
  for (const [count, isStarred] of [
    [2, true],
    [3, false],
    [4, true],
  ] as const) {
    const section = screen.getByRole('region', { name: 'ผล' })
    const font = document.createElement('font')
    const bold = section.querySelector('b')!
    bold.previousSibling!.replaceWith(font)
    font.append(`found `, bold)
    await translate(WAYS.replaceWith!, section)
    rerender(<Row count={count} isStarred={isStarred} />)
    await settled()
    expect(section.querySelector('b')!.textContent).toContain(String(count))
    expect(section.querySelectorAll('i')).toHaveLength(isStarred ? 1 : 0)
    expect(section.textContent).toContain(String(count + 1))
  }
  unmount()
  expect(document.querySelector('section')).toBeNull()
})
