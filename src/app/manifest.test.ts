import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { parseReportSearch, printReportSearch } from '#contract/report/report-params.ts'
import { screenAt } from '#contract/screen.ts'

type Icon = { readonly src: string; readonly sizes: string; readonly type: string; readonly purpose?: string }
type Shortcut = {
  readonly name: string
  readonly short_name?: string
  readonly url: string
  readonly icons: readonly Icon[]
}

const folder = path.join(import.meta.dirname, '../../public')
const manifest = JSON.parse(readFileSync(path.join(folder, 'manifest.webmanifest'), 'utf8')) as {
  readonly id: string
  readonly start_url: string
  readonly scope: string
  readonly icons: readonly Icon[]
  readonly shortcuts: readonly Shortcut[]
}

/** Width and height are at bytes 16 and 20 of a PNG, in its first chunk. */
function pngSize(src: string): string {
  const file = readFileSync(path.join(folder, src))
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG')
  return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`
}

test('every icon of the installed app is the picture that it says', () => {
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons)]
  for (const { src, sizes, type } of icons) {
    if (type === 'image/png') expect(pngSize(src), src).toBe(sizes)
    else expect(readFileSync(path.join(folder, src), 'utf8'), src).toContain('<svg')
  }
})

test('a browser may offer to install: both sizes that it asks for, and a maskable icon', () => {
  const plain = manifest.icons.filter(({ purpose }) => purpose === undefined).map(({ sizes }) => sizes)
  expect(plain).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1)
})

test('the app opens at a screen behind the login, under the identity that it was installed with', () => {
  // Browsers identify an installed app by its id; after a change, users would keep the old app.
  expect(manifest.id).toBe('/report')
  expect(manifest.scope).toBe('/')
  expect(screenAt(manifest.start_url)?.needsLogin).toBe(true)
})

test('every shortcut opens a screen, and what it asks of the report is understood', () => {
  // Chrome on Android shows at most four.
  expect(manifest.shortcuts.length).toBeLessThanOrEqual(4)
  expect(new Set(manifest.shortcuts.map(({ url }) => url)).size).toBe(manifest.shortcuts.length)
  for (const { url } of manifest.shortcuts) {
    const { pathname, searchParams } = new URL(url, 'https://tamngan.example')
    expect(screenAt(pathname)?.needsLogin, url).toBe(true)
    const asked = Object.fromEntries(searchParams)
    expect(printReportSearch(parseReportSearch(asked).search), url).toEqual(asked)
  }
})
