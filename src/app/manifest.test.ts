import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { formatReportSearch, parseReportSearch } from '#contract/report/report-params.ts'
import { findScreenByPath } from '#contract/screen.ts'

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

/** Reads width and height, which a PNG stores at bytes 16 and 20, in its first chunk. */
function pngSize(src: string): string {
  const file = readFileSync(path.join(folder, src))
  expect(file.subarray(1, 4).toString('latin1')).toBe('PNG')
  return `${file.readUInt32BE(16)}x${file.readUInt32BE(20)}`
}

test('every icon of the installed app has its declared size and type', () => {
  const icons = [...manifest.icons, ...manifest.shortcuts.flatMap((shortcut) => shortcut.icons)]
  for (const { src, sizes, type } of icons) {
    if (type === 'image/png') expect(pngSize(src), src).toBe(sizes)
    else expect(readFileSync(path.join(folder, src), 'utf8'), src).toContain('<svg')
  }
})

test('the app is installable: both required sizes and one maskable icon', () => {
  const plain = manifest.icons.filter(({ purpose }) => purpose === undefined).map(({ sizes }) => sizes)
  expect(plain).toEqual(expect.arrayContaining(['192x192', '512x512']))
  expect(manifest.icons.filter(({ purpose }) => purpose === 'maskable')).toHaveLength(1)
})

test('the app starts at a screen behind the login and keeps its id', () => {
  // Browsers identify an installed app by its id, so after a change of the id users would keep the old app.
  expect(manifest.id).toBe('/report')
  expect(manifest.scope).toBe('/')
  expect(findScreenByPath(manifest.start_url)?.needsLogin).toBe(true)
})

test('every shortcut opens a screen with a valid report filter', () => {
  // Chrome on Android shows at most four shortcuts.
  expect(manifest.shortcuts.length).toBeLessThanOrEqual(4)
  expect(new Set(manifest.shortcuts.map(({ url }) => url)).size).toBe(manifest.shortcuts.length)
  for (const { url } of manifest.shortcuts) {
    const { pathname, searchParams } = new URL(url, 'https://tamngan.example')
    expect(findScreenByPath(pathname)?.needsLogin, url).toBe(true)
    const query = Object.fromEntries(searchParams)
    expect(formatReportSearch(parseReportSearch(query).search), url).toEqual(query)
  }
})
